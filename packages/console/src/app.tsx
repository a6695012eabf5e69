import { Center, Loader } from "@mantine/core";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Navigate, Route, Routes } from "react-router";
import { Layout } from "./layout.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { useSession } from "./session.ts";

/** A page that is loaded when it is first shown. */
const page = <Props,>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load() }));

const OverviewPage = page(async () => (await import("./pages/overview.tsx")).OverviewPage);
const RequestsPage = page(async () => (await import("./pages/requests.tsx")).RequestsPage);
const SessionsPage = page(async () => (await import("./pages/sessions.tsx")).SessionsPage);
const ModelsPage = page(async () => (await import("./pages/models.tsx")).ModelsPage);
const KeysPage = page(async () => (await import("./pages/keys.tsx")).KeysPage);
const TeamsPage = page(async () => (await import("./pages/teams.tsx")).TeamsPage);
const UsersPage = page(async () => (await import("./pages/users.tsx")).UsersPage);
const PlaygroundPage = page(async () => (await import("./pages/playground.tsx")).PlaygroundPage);
const BatchesPage = page(async () => (await import("./pages/batches.tsx")).BatchesPage);
const VideosPage = page(async () => (await import("./pages/videos.tsx")).VideosPage);
const AgentsPage = page(async () => (await import("./pages/agents.tsx")).AgentsPage);
const ConfigurationPage = page(async () => (await import("./pages/configuration.tsx")).ConfigurationPage);
const AuditPage = page(async () => (await import("./pages/audit.tsx")).AuditPage);

/** The sign-in, or the pages of whoever is signed in. */
export function App(): ReactNode {
  const { session, isPending } = useSession();
  if (isPending) return <Waiting />;
  if (session === undefined) return <SignInPage />;
  return (
    <Layout session={session}>
      <Suspense fallback={<Waiting />}>
        <Routes>
          <Route path="/" element={<OverviewPage />} />
          <Route path="/requests" element={<RequestsPage />} />
          <Route path="/sessions" element={<SessionsPage />} />
          <Route path="/models" element={<ModelsPage session={session} />} />
          <Route path="/keys" element={<KeysPage />} />
          <Route path="/teams" element={<TeamsPage />} />
          <Route path="/users" element={<UsersPage />} />
          <Route path="/batches" element={<BatchesPage />} />
          <Route path="/videos" element={<VideosPage />} />
          <Route path="/agents" element={<AgentsPage />} />
          <Route path="/playground" element={<PlaygroundPage />} />
          <Route path="/configuration" element={<ConfigurationPage />} />
          <Route path="/audit" element={<AuditPage />} />
          <Route path="*" element={<Navigate to="/" replace />} />
        </Routes>
      </Suspense>
    </Layout>
  );
}

function Waiting(): ReactNode {
  return (
    <Center mih="50vh">
      <Loader aria-label="Loading" role="status" />
    </Center>
  );
}
