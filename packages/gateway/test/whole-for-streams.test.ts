import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const text = "hello there";
const call = { id: "call_1", type: "function", function: { name: "look", arguments: '{"at":"it"}' } };

/** What hosts answer by the end of their path, of one input token and ten output tokens each. */
const answers: Readonly<Record<string, object>> = {
  "/chat/completions": {
    ...{ id: "c1", object: "chat.completion", created: 1, model: "m" },
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, tool_calls: [call] },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 10, total_tokens: 11 },
  },
  "/messages": {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "m" },
    content: [
      { type: "text", text },
      { type: "tool_use", id: "call_1", name: "look", input: { at: "it" } },
    ],
    ...{ stop_reason: "tool_use", stop_sequence: null },
    usage: { input_tokens: 1, output_tokens: 10 },
  },
  "/responses": {
    ...{ id: "resp_1", object: "response", created_at: 1, status: "completed", model: "m" },
    output: [
      {
        ...{ type: "message", id: "msg_1", role: "assistant", status: "completed" },
        content: [{ type: "output_text", text, annotations: [] }],
      },
      {
        ...{ type: "function_call", id: "fc_1", call_id: "call_1", status: "completed" },
        ...{ name: "look", arguments: '{"at":"it"}' },
      },
    ],
    usage: { input_tokens: 1, output_tokens: 10, total_tokens: 11 },
  },
};

/** In place of an answer. */
let instead: string | undefined;
let asked = 0;
const host = createServer((request, response) => {
  asked += 1;
  request.resume().on("end", () => {
    const path = Object.keys(answers).find((end) => request.url!.endsWith(end))!;
    response.setHeader("content-type", "application/json; charset=utf-8");
    response.end(instead ?? JSON.stringify(answers[path]));
  });
});

let gateway: TestGateway;
beforeAll(async () => {
  await once(host.listen(0, "127.0.0.1"), "listening");
  const at = `api_base: "http://127.0.0.1:${(host.address() as AddressInfo).port}", api_key: k`;
  const priced = `${at}, input_cost_per_token: 0.1, output_cost_per_token: 0.1`;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, ${priced}}}
  - {model_name: vllm, litellm_params: {model: hosted_vllm/llama, ${priced}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${priced}}}
router_settings: {num_retries: 0, disable_cooldowns: true}
`,
  });
});
beforeEach(() => {
  instead = undefined;
  asked = 0;
});
afterAll(async () => {
  await gateway?.close();
  host.closeAllConnections();
  host.close();
});

const messages = [{ role: "user", content: "x" }];
const requests = ["gpt", "vllm", "claude"].flatMap((model): (readonly [string, string, object])[] => [
  [model, "/v1/chat/completions", { messages }],
  [model, "/v1/chat/completions", { messages, stream_options: { include_usage: true } }],
  [model, "/v1/messages", { messages, max_tokens: 50 }],
  [model, "/v1/responses", { input: "x" }],
]);

const ask = (model: string, path: string, body: object, key?: string) =>
  gateway.call(path, { body: { model, stream: true, ...body }, ...(key === undefined ? {} : { key }) });

it.each(requests)("%s answers whole: %s %j gets a stream, once, that is paid", async (model, path, body) => {
  const key = await gateway.newKey();
  const answer = await ask(model, path, body, key);
  const told = await answer.text();
  expect([answer.status, answer.headers.get("content-type"), asked]).toEqual([
    200,
    expect.stringContaining("text/event-stream"),
    1,
  ]);
  expect(told).toContain(text);
  expect(told).toContain("look");
  expect(told).not.toContain('"error":{');
  const spent = async () =>
    ((await gateway.must(`/key/info?key=${key}`, undefined, { method: "GET" })).info as { spend: number })
      .spend;
  await expect.poll(spent).toBeCloseTo(1.1);
});

it.each(requests)("%s answers what is none: %s %j fails", async (model, path, body) => {
  for (instead of ['{"error": {"message": "nope", "type": "server_error"}}', "[1", '{"a": 1}', "{}", ""]) {
    const answer = await ask(model, path, body);
    expect([instead, answer.status]).toEqual([instead, 502]);
  }
});
