import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { operationsOf } from "./rules/operations.ts";
import { ask, examples, type Ids } from "./rules/requests.ts";
import { type Stage, startStage } from "./rules/stage.ts";

/** Calls, and the objects that tenants make with them: the spend log and the log tell of these. */
const CALLS = /^\/(?:v1|v1beta|a2a|openai|anthropic|gemini)\/(?!agents)/;
/** What changes nothing that is kept, but for sessions in the browser and kept answers. */
const CHANGES_NOTHING =
  /\/info$|^\/key\/health$|^\/global\/spend\/|^\/spend\/calculate$|^\/utils\/|^\/cache\/|^\/ui\/session$|^\/sso\/cli\/confirm$/;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage?.close());

async function rows(): Promise<{ total: number; audit_logs: JsonObject[] }> {
  const answer = await stage.gateway.call("/audit?page_size=10");
  return (await answer.json()) as { total: number; audit_logs: JsonObject[] };
}

it("Every operation that changes what is managed leaves a row in the audit log", async () => {
  const silent: string[] = [];
  let asked = 0;
  for (const operation of await operationsOf(stage.gateway)) {
    const { method, path, id } = operation;
    if (method === "GET" || CALLS.test(path) || CHANGES_NOTHING.test(path)) continue;
    // The example of many keys at once names none.
    const many = id === "updateKeys";
    const needs = many ? "key" : examples[id]!.needs;
    const ids: Ids = needs === undefined ? {} : await stage.make(needs);
    const before = await rows();
    const body = many ? { body: { keys: [{ key: ids.key!, max_budget: 7 }] } } : {};
    const { status } = await ask(stage, operation, { ids, ...body });
    asked += 1;
    if ((await rows()).total === before.total) silent.push(`${method} ${path}: ${status}`);
  }
  expect(silent).toEqual([]);
  expect(asked).toBeGreaterThan(50);
});

it("The rows of agents tell what changed, without their credentials", async () => {
  const agent = {
    agent_name: "audited",
    agent_card_params: { name: "audited", url: "http://u:S1-card@agents.example/a" },
    gateway_params: { api_key: "S2-key", headers: { "x-any": "S3-header" }, model: "gpt" },
  };
  const made = await stage.gateway.call("/v1/agents", { body: agent });
  const { agent_id: id } = (await made.json()) as { agent_id: string };
  await stage.gateway.call(`/v1/agents/${id}`, { method: "PATCH", body: { agent_name: "renamed" } });
  await stage.gateway.call(`/v1/agents/${id}`, { method: "DELETE" });
  // A change that is refused is none.
  await stage.gateway.call(`/v1/agents/${id}`, { method: "DELETE" });
  const answer = await stage.gateway.call(`/audit?object_id=${id}&sort_order=asc`);
  const { audit_logs: told } = (await answer.json()) as { audit_logs: JsonObject[] };
  expect(told.map(({ action }) => action)).toEqual(["created", "updated", "deleted"]);
  expect(JSON.stringify(told[1])).toContain("renamed");
  expect(JSON.stringify(told)).not.toMatch(/S\d-/);
});
