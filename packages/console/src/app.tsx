import { Center, Loader } from "@mantine/core";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Navigate, Route, Routes } from "react-router";
import type { Session } from "./api/types.ts";
import { Layout } from "./layout.tsx";
import { PAGES, type PagePath } from "./page-table.ts";
import { SignInPage } from "./pages/sign-in.tsx";
import { useSession } from "./session.ts";

/** A page that is loaded when it is first shown. */
const page = <Props,>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load() }));

/** What each page of the table shows. */
const SHOWN: Readonly<Record<PagePath, ComponentType<{ session: Session }>>> = {
  "/": page(async () => (await import("./pages/overview.tsx")).OverviewPage),
  "/requests": page(async () => (await import("./pages/requests.tsx")).RequestsPage),
  "/sessions": page(async () => (await import("./pages/sessions.tsx")).SessionsPage),
  "/models": page(async () => (await import("./pages/models.tsx")).ModelsPage),
  "/keys": page(async () => (await import("./pages/keys.tsx")).KeysPage),
  "/teams": page(async () => (await import("./pages/teams.tsx")).TeamsPage),
  "/users": page(async () => (await import("./pages/users.tsx")).UsersPage),
  "/budgets": page(async () => (await import("./pages/budgets.tsx")).BudgetsPage),
  "/playground": page(async () => (await import("./pages/playground.tsx")).PlaygroundPage),
  "/batches": page(async () => (await import("./pages/batches.tsx")).BatchesPage),
  "/videos": page(async () => (await import("./pages/videos.tsx")).VideosPage),
  "/agents": page(async () => (await import("./pages/agents.tsx")).AgentsPage),
  "/configuration": page(async () => (await import("./pages/configuration.tsx")).ConfigurationPage),
  "/audit": page(async () => (await import("./pages/audit.tsx")).AuditPage),
};

/** The sign-in, or the pages of whoever is signed in. */
export function App(): ReactNode {
  const { session, isPending } = useSession();
  if (isPending) return <Waiting />;
  if (session === undefined) return <SignInPage />;
  return (
    <Layout session={session}>
      <Suspense fallback={<Waiting />}>
        <Routes>
          {PAGES.map(({ path }) => {
            const Shown = SHOWN[path];
            return <Route key={path} path={path} element={<Shown session={session} />} />;
          })}
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
