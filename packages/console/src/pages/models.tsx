import { Badge, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ask, send } from "../api/client.ts";
import { mayDo } from "../api/may.ts";
import type { Deployment, DeploymentHealth, Health, Session } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { compact, dollars, seconds } from "../ui/format.ts";
import { LIVE_EVERY } from "../ui/live.ts";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { useAction } from "../ui/use-action.tsx";
import { ModelForm } from "./model-form.tsx";
import { useDeployments } from "./model-names.ts";

/** Models and their deployments: health, prices, a test call; add, change and delete those that are stored. */
export function ModelsPage({ session }: { readonly session: Session }): ReactNode {
  const query = useDeployments();
  const health = useQuery({
    queryKey: ["health"],
    queryFn: () => ask<Health>("health"),
    refetchInterval: LIVE_EVERY,
  });
  const [edited, edit] = useState<Deployment | "new">();
  const [doomed, setDoomed] = useState<Deployment>();
  const remove = useAction(
    "models",
    ({ model_info }: Deployment) => send("model/delete", { method: "POST", body: { id: model_info.id } }),
    () => setDoomed(undefined),
  );
  return (
    <Page
      title="Models"
      actions={
        mayDo(session, "POST /model/new") && <Button onClick={() => edit("new")}>Add a deployment</Button>
      }
    >
      <DataTable
        label="Deployments"
        query={query}
        rows={query.data}
        idOf={({ model_info }) => model_info.id}
        empty="No model is configured."
        columns={[
          { title: "Model", cell: ({ model_name }) => model_name },
          { title: "Goes to", cell: ({ litellm_params }) => litellm_params.model },
          {
            title: "Health",
            cell: ({ model_info }) => <Condition id={model_info.id} health={health.data} />,
          },
          {
            title: "First answer",
            cell: ({ model_info }) => latency(healthOf(model_info.id, health.data)),
            right: true,
          },
          { title: "Context", cell: ({ model_info }) => tokens(model_info.max_input_tokens), right: true },
          {
            title: "In, per million",
            cell: ({ model_info }) => price(model_info.input_cost_per_token),
            right: true,
          },
          {
            title: "Out, per million",
            cell: ({ model_info }) => price(model_info.output_cost_per_token),
            right: true,
          },
          { title: "Test", cell: (deployment) => <TestCall deployment={deployment} /> },
          {
            title: "Kept in",
            cell: (deployment) =>
              deployment.model_info.db_model !== true ? (
                "configuration"
              ) : mayDo(session, "POST /model/new") ? (
                <Group gap={4} wrap="nowrap">
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => edit(deployment)}
                    aria-label={`Edit ${deployment.model_name}`}
                  >
                    Edit
                  </Button>
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setDoomed(deployment)}
                    aria-label={`Delete ${deployment.model_name}`}
                  >
                    Delete
                  </Button>
                </Group>
              ) : (
                "the gateway's store"
              ),
          },
        ]}
      />
      {edited !== undefined && (
        <ModelForm given={edited === "new" ? undefined : edited} onClose={() => edit(undefined)} />
      )}
      <Removal
        doomed={doomed}
        question={(thing) => `Calls for ${thing.model_name} go to no ${thing.litellm_params.model} any more.`}
        remove={remove}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  );
}

function Condition({ id, health }: { readonly id: string; readonly health: Health | undefined }): ReactNode {
  if (health === undefined) return "–";
  const rests = health.unhealthy_endpoints.some(({ model_id }) => model_id === id);
  const left = healthOf(id, health)?.cooldown_seconds;
  return (
    <Badge color={rests ? "red" : "green"} variant="dot">
      {rests ? `in cooldown${left === undefined ? "" : `, ${left} s`}` : "healthy"}
    </Badge>
  );
}

function healthOf(id: string, health: Health | undefined): DeploymentHealth | undefined {
  const all = [...(health?.healthy_endpoints ?? []), ...(health?.unhealthy_endpoints ?? [])];
  return all.find(({ model_id }) => model_id === id);
}

const latency = (health: DeploymentHealth | undefined): string =>
  health?.latency_ms === undefined ? "–" : seconds(health.latency_ms / 1000);

/** Sends one small call to a deployment and says how long it took, or what it said. */
function TestCall({ deployment }: { readonly deployment: Deployment }): ReactNode {
  const test = useAction("health", async () => {
    const start = performance.now();
    await send("v1/chat/completions", {
      method: "POST",
      body: {
        model: deployment.model_info.id,
        max_tokens: 16,
        messages: [{ role: "user", content: "Say OK." }],
      },
    });
    return (performance.now() - start) / 1000;
  });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        loading={test.isPending}
        onClick={() => test.mutate(undefined)}
        aria-label={`Test ${deployment.model_name} at ${deployment.litellm_params.model}`}
      >
        Test
      </Button>
      <Text size="xs" role="status" maw={220}>
        {test.error?.message ?? (test.data === undefined ? "" : `answered in ${seconds(test.data)}`)}
      </Text>
    </Group>
  );
}

const tokens = (count: number | undefined): string => (count === undefined ? "–" : compact(count));
const price = (each: number | undefined): string => (each === undefined ? "–" : dollars(each * 1_000_000));
