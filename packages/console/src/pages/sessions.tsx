import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { ask } from "../api/client.ts";
import type { AgentSession } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { compact, count, dollars, duration, moment, share } from "../ui/format.ts";
import { IdCell } from "../ui/id-cell.tsx";
import { LIVE_EVERY } from "../ui/live.ts";
import { Page } from "../ui/page.tsx";
import { ToolNames } from "../ui/tool-names.tsx";
import { SessionPage } from "./session.tsx";

/** The sessions, or the one that the address names. */
export function SessionsPage(): ReactNode {
  const [search] = useSearchParams();
  const id = search.get("session_id");
  return id === null ? <Sessions /> : <SessionPage id={id} keyHash={search.get("api_key") ?? undefined} />;
}

/** Sessions of coding agents and of other clients that name them: turns, tokens and cost of each. */
function Sessions(): ReactNode {
  const query = useQuery({
    queryKey: ["sessions"],
    queryFn: () => ask<{ data: readonly AgentSession[] }>("spend/sessions"),
    refetchInterval: LIVE_EVERY,
  });
  return (
    <Page title="Sessions">
      <DataTable
        label="Sessions, those that went on last first"
        query={query}
        rows={query.data?.data}
        idOf={(session) => `${session.api_key} ${session.session_id}`}
        empty="No request has named a session; Claude Code, Codex and x-portico-session-id do."
        columns={[
          { title: "Last turn", cell: ({ endTime }) => moment(endTime) },
          {
            title: "Session",
            cell: ({ session_id }) => <IdCell id={session_id} width={200} />,
          },
          { title: "User", cell: ({ user }) => user ?? "–" },
          { title: "Models", cell: ({ models }) => models.join(", ") },
          { title: "Lasted", cell: ({ startTime, endTime }) => duration(startTime, endTime), right: true },
          {
            title: "Turns",
            cell: ({ requests, failures }) =>
              failures === 0 ? count(requests) : `${count(requests)}, ${count(failures)} failed`,
            right: true,
          },
          {
            title: "Tokens in",
            cell: (session) =>
              `${compact(session.prompt_tokens)}, ${share(session.cache_read_input_tokens, session.prompt_tokens)} cached`,
            right: true,
          },
          { title: "Tokens out", cell: (session) => compact(session.completion_tokens), right: true },
          { title: "Tools", cell: ({ tools }) => <ToolNames tools={tools.slice(0, 6)} /> },
          { title: "Cost", cell: ({ spend }) => dollars(spend), right: true },
          {
            title: "Open",
            cell: ({ session_id: id, api_key: key }) => (
              <Button
                size="compact-xs"
                variant="default"
                component={Link}
                to={`/sessions?${new URLSearchParams({ session_id: id, api_key: key })}`}
                aria-label={`Turns of ${id}`}
              >
                Turns
              </Button>
            ),
          },
        ]}
      />
    </Page>
  );
}
