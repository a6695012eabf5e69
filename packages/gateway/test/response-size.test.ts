import { afterEach, expect, it } from "vitest";
import { CallHarness, chatEvents, echo, type Script, sendEvents } from "./support/call-harness.ts";

let harness: CallHarness;
afterEach(() => harness.close());

const path = "/v1/chat/completions";
const body = { model: "m", messages: [{ role: "user", content: "hi" }] };
const long: Script = (seen, response) => {
  if (seen.json.stream === true) return sendEvents(response, chatEvents);
  response.setHeader("content-type", "application/json");
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  response.end(JSON.stringify({ id: "x", model: "up", usage, choices: [], padding: "x".repeat(20_000) }));
};

function start(script: Script, general: object): void {
  const model_list = [{ model_name: "m", litellm_params: { model: "openai/up", api_key: "k" } }];
  harness = new CallHarness({ config: { model_list, general_settings: general }, script });
}

it("an answer that is larger than max_response_size_mb is 400, made once, and paid", async () => {
  start(long, { max_response_size_mb: 0.01 });
  await expect(harness.post(path, body)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("max_response_size_mb allows 0.01"),
  });
  expect(harness.seen).toHaveLength(1);
  expect(harness.settled[0]!.call).toMatchObject({ status: "failure", usage: { input: 10, output: 5 } });
  expect(harness.reservations.every(({ end }) => end === "settled")).toBe(true);
});

it("smaller answers and streams pass", async () => {
  start((seen, response) => (seen.json.seed === 1 ? echo : long)(seen, response), {
    max_response_size_mb: 0.01,
  });
  expect((await harness.post(path, { ...body, seed: 1 })).status).toBe(200);
  expect((await harness.post(path, { ...body, stream: true })).status).toBe(200);
  expect((await harness.post(path, { ...body, stream: true })).text).toContain("[DONE]");
});
