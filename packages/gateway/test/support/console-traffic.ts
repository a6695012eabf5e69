import { expect } from "vitest";
import { SCRIPT } from "./console-browser.ts";
import type { TestGateway } from "./gateway.ts";

const hi = [{ role: "user", content: "hi" }];
const model = "claude-sonnet-4-5";

/** A turn after two calls of one tool and one of another, whose names a model may have made up. */
const turn = (other: string) => [
  ...hi,
  {
    role: "assistant",
    content: ["Bash", "Bash", other].map((name, at) => ({ type: "tool_use", id: `t${at}`, name, input: {} })),
  },
  {
    role: "user",
    content: [0, 1, 2].map((at) => ({ type: "tool_result", tool_use_id: `t${at}`, content: "done" })),
  },
];

/** Makes one of everything that the console shows, and again with a script in each field that others fill. */
export async function fillConsole(gateway: TestGateway): Promise<void> {
  const made = async (path: string, body: object): Promise<void> => {
    const answer = await gateway.call(path, { body });
    expect(answer.status, `${path}: ${await answer.text()}`).toBeLessThan(300);
  };
  await made("/key/generate", { key_alias: "console-test", max_budget: 5 });
  await made("/key/generate", {
    key_alias: SCRIPT,
    user_id: SCRIPT,
    models: [SCRIPT],
    metadata: { tags: [SCRIPT], [SCRIPT]: SCRIPT },
  });
  const core = "team-core";
  for (const budget_id of ["monthly", SCRIPT])
    await made("/budget/new", { budget_id, max_budget: 50, budget_duration: "1mo" });
  const own = { max_budget: 20, budget_duration: "30d", budget_id: "monthly" };
  await made("/team/new", { team_id: core, team_alias: "core team", ...own });
  await made("/team/new", { team_alias: SCRIPT, models: [SCRIPT], budget_id: SCRIPT });
  await made("/user/new", { user_id: "ann", user_email: "ann@example.com", max_budget: 3, teams: [core] });
  await made("/user/new", { user_id: `${SCRIPT} of the log`, user_alias: SCRIPT });
  await made("/model/new", {
    model_name: "stored",
    litellm_params: { model: "openai/m", mock_response: "hi" },
  });
  await made("/model/new", {
    model_name: SCRIPT,
    litellm_params: { model: `openai/${SCRIPT}`, mock_response: SCRIPT },
  });
  for (const agent_name of ["writer", SCRIPT])
    await made("/v1/agents", {
      agent_name,
      agent_card_params: {
        name: agent_name,
        description: `${agent_name} writes short texts`,
        version: SCRIPT,
      },
      gateway_params: { model, instructions: SCRIPT },
    });
  for (const session of ["a-session", SCRIPT])
    for (const [messages, metadata] of [
      [hi, { user_id: SCRIPT }],
      [turn("Read"), { job: `nightly ${session}`, [SCRIPT]: SCRIPT }],
    ] as const) {
      const body = { model, max_tokens: 10, stream: true, messages, metadata };
      const headers = { "x-portico-session-id": session };
      const answer = await gateway.call("/v1/messages", { body, headers });
      expect(answer.status, await answer.text()).toBe(200);
    }
  await gateway.call("/v1/messages", { body: { model: SCRIPT, max_tokens: 10, messages: hi } });
  await startBatch(gateway);
  await made("/v1/videos", { model: "sora-2", prompt: "A cat." });
}

/** A batch of two messages, which the gateway runs. */
async function startBatch(gateway: TestGateway): Promise<void> {
  const rows = ["a", "b"].map((custom_id) =>
    JSON.stringify({
      custom_id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model, max_tokens: 10, messages: hi },
    }),
  );
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("file", new Blob([rows.join("\n")]), "rows.jsonl");
  const file = (await (await gateway.call("/v1/files", { body: form })).json()) as { id: string };
  const answer = await gateway.call("/v1/batches", {
    body: {
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { note: SCRIPT },
    },
  });
  expect(answer.status).toBe(200);
}
