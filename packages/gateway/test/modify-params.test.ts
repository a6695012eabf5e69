import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let simulator: Simulator;
let gateway: TestGateway;
const models = ["claude", "gemini", "bedrock"];

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  const at = (path: string): string => `api_key: k, api_base: "${simulator.url}/${path}"`;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${at("anthropic")}}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, ${at("google")}}}
  - {model_name: bedrock, litellm_params: {model: bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0, ${at("bedrock")}}}
router_settings: {num_retries: 0, disable_cooldowns: true}
litellm_settings: {modify_params: true}
`,
  });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

const user = { role: "user", content: "hello" };
const conversations: Readonly<Record<string, readonly object[]>> = {
  "the assistant begins": [{ role: "assistant", content: "hi" }, user],
  "nobody but the system speaks": [{ role: "system", content: "Be kind" }],
  "the user says nothing": [{ role: "user", content: " " }],
  "the user says nothing once": [{ role: "user", content: "" }, { role: "assistant", content: "hi" }, user],
};

describe.each(models)("modify_params with %s", (model) => {
  it.each(Object.entries(conversations))("lets a conversation pass in which %s", async (_, messages) => {
    for (const [path, body] of [
      ["/v1/chat/completions", { model, messages }],
      ["/v1/responses", { model, input: messages }],
    ] as const) {
      const answer = await gateway.call(path, { body });
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, expect.anything()]);
    }
  });
});

it("changes nothing of a conversation that a user begins", async () => {
  await gateway.call("/v1/chat/completions", { body: { model: "claude", messages: [user] } });
  expect(simulator.received().at(-1)!.body).toMatchObject({
    messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }],
  });
});
