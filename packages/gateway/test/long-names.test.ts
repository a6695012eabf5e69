import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const LONG = "x".repeat(2_000_000);
/** What an answer, and what the log says of it, may have of that. */
const MOST = 30_000;

let gateway: TestGateway;
let key: string;
beforeAll(async () => {
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, mock_response: hi, tags: [a]}}
router_settings: {enable_tag_filtering: true}
`,
  });
  key = await gateway.newKey({ models: ["gpt"] });
});
afterAll(() => gateway?.close());

const messages = [{ role: "user", content: "x" }];
const chat = { model: "gpt", messages };

it.each<[what: string, path: string, body: object]>([
  ["a model", "/utils/token_counter", { model: LONG, messages }],
  ["a model", "/spend/calculate", { model: LONG, messages }],
  ["a model", "/v1/messages/count_tokens", { model: LONG, messages }],
  ["a model", "/v1/videos", { model: LONG, prompt: "x" }],
  ["a tag", "/v1/chat/completions", { ...chat, tags: [LONG] }],
  ["a field of a fallback", "/v1/chat/completions", { ...chat, fallbacks: [{ model: "a", [LONG]: 1 }] }],
  ["a field", "/v1/chat/completions", { ...chat, [`aws_${LONG}`]: 1 }],
  ["an item", "/v1/responses", { model: "gpt", input: [{ type: "item_reference", id: LONG }] }],
  ["a conversation", "/v1/responses", { model: "gpt", input: "x", conversation: LONG }],
  ["a key's field", "/key/generate", { [LONG]: 1 }],
])("%s of two megabytes in %s is not repeated in answers and logs", async (_what, path, body) => {
  const before = gateway.log().length;
  const answer = await gateway.call(path, { key, body });
  const text = await answer.text();
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(text.length).toBeLessThan(MOST);
  await expect.poll(() => gateway.log().slice(before)).toContain(path);
  expect(gateway.log().length - before).toBeLessThan(MOST);
});
