import { Button, Code, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { Agent } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { Page } from "../ui/page.tsx";
import { SidePanel } from "../ui/side-panel.tsx";
import { AgentChat } from "./agent-chat.tsx";

/** The agents that the caller may talk to, the card of each, and a talk with it. */
export function AgentsPage(): ReactNode {
  const query = useQuery({ queryKey: ["agents"], queryFn: () => ask<readonly Agent[]>("v1/agents") });
  const [shown, show] = useState<Agent>();
  const [partner, talkTo] = useState<Agent>();
  return (
    <Page title="Agents">
      <DataTable
        label="Agents"
        query={query}
        rows={query.data}
        idOf={({ agent_id }) => agent_id}
        empty="There is no agent. POST /v1/agents registers one."
        columns={[
          { title: "Agent", cell: ({ agent_name }) => agent_name },
          {
            title: "Does",
            cell: ({ agent_card_params: { description } }) => (
              <Text size="sm" lineClamp={2} maw={360}>
                {description ?? "–"}
              </Text>
            ),
          },
          { title: "Runs", cell: placeOf },
          { title: "Version", cell: ({ agent_card_params: { version } }) => version ?? "–" },
          {
            title: "Open",
            cell: (agent) => (
              <Group gap={4} wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => talkTo(agent)}
                  aria-label={`Talk to ${agent.agent_name}`}
                >
                  Talk
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => show(agent)}
                  aria-label={`Card of ${agent.agent_name}`}
                >
                  Card
                </Button>
              </Group>
            ),
          },
        ]}
      />
      <SidePanel
        shown={shown}
        title={({ agent_name }) => `Card of ${agent_name}`}
        onClose={() => show(undefined)}
      >
        {(agent) => <Card agent={agent} />}
      </SidePanel>
      <SidePanel
        shown={partner}
        title={({ agent_name }) => `Talk to ${agent_name}`}
        onClose={() => talkTo(undefined)}
      >
        {(agent) => <AgentChat key={agent.agent_id} agent={agent} />}
      </SidePanel>
    </Page>
  );
}

/** A model of the gateway's, or somewhere else. */
function placeOf({ gateway_params: params, agent_card_params: card }: Agent): string {
  if (params?.model !== undefined) return params.model;
  return params?.api_base ?? card.url ?? "–";
}

/** The card as A2A clients get it. */
function Card({ agent }: { readonly agent: Agent }): ReactNode {
  const path = `a2a/${encodeURIComponent(agent.agent_id)}/.well-known/agent-card.json`;
  const query = useQuery({ queryKey: ["agents", path], queryFn: () => ask<unknown>(path) });
  return (
    <Code block tabIndex={0}>
      {query.error?.message ?? JSON.stringify(query.data ?? {}, undefined, 2)}
    </Code>
  );
}
