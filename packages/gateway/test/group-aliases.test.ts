import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: chat, litellm_params: {model: openai/gpt-4o, mock_response: hi}}
  - {model_name: other, litellm_params: {model: openai/gpt-4o-mini, mock_response: hi}}
router_settings: {model_group_alias: {shown: chat, old: {model: chat, hidden: true}, named: {model: other, hidden: false}}}
keys: [{key: sk-of-one-model, models: [other]}]
`,
  });
});
afterAll(() => gateway.close());

async function listed(path: string, name: string, key?: string): Promise<unknown[]> {
  const answer = await gateway.call(path, key === undefined ? {} : { key });
  const { data } = (await answer.json()) as { data: Record<string, unknown>[] };
  return data.map((entry) => entry[name]);
}

it("lists aliases of models beside these, but for hidden ones, as what the key may call", async () => {
  for (const [path, name] of [
    ["/v1/models", "id"],
    ["/model_group/info", "model_group"],
  ] as const) {
    expect(await listed(path, name)).toEqual(["chat", "other", "shown", "named"]);
    expect(await listed(path, name, "sk-of-one-model")).toEqual(["other", "named"]);
  }
  expect(await listed("/model_group/info?model_group=shown", "providers")).toEqual([["openai"]]);
  expect((await gateway.call("/model_group/info?model_group=old")).status).toBe(400);
});

it("answers to hidden aliases all the same", async () => {
  const body = { model: "old", messages: [{ role: "user", content: "hello" }] };
  expect((await gateway.call("/v1/chat/completions", { body })).status).toBe(200);
});
