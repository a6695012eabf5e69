import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Events with which each provider begins an answer before its model thinks. */
const beginnings: readonly [string, string][] = [
  [
    "/messages",
    `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}

event: ping
data: {"type":"ping"}

`,
  ],
  [
    "/chat/completions",
    `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

`,
  ],
  [
    ":streamGenerateContent",
    `data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":0}]}

`,
  ],
];

let upstream: Server;
let gateway: TestGateway;
const thinking = new Set<ServerResponse>();

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    await text(request);
    thinking.add(response);
    response.once("close", () => thinking.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(beginnings.find(([path]) => request.url!.includes(path))![1]);
  });
  await new Promise<void>((ready) => upstream.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const models = [
    ["chat", "hosted_vllm/m", `${url}/v1`],
    ["messages", "anthropic/m", url],
    ["gemini", "gemini/m", url],
  ].map(
    ([name, model, base]) =>
      `  - {model_name: ${name}, litellm_params: {model: ${model}, api_base: "${base}", api_key: k}}`,
  );
  gateway = await startTestGateway({
    config: `model_list:\n${models.join("\n")}\nrouter_settings: {num_retries: 0, stream_hold: 0.05}\n`,
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream.closeAllConnections();
  upstream.close();
});

const messages = [{ role: "user", content: "hello" }];
const operations: readonly [string, (model: string) => readonly [string, object], string][] = [
  ["chat", (model) => ["/v1/chat/completions", { model, messages, stream: true }], '"role":"assistant"'],
  [
    "messages",
    (model) => ["/v1/messages", { model, messages, max_tokens: 9, stream: true }],
    "message_start",
  ],
  ["responses", (model) => ["/v1/responses", { model, input: "hello", stream: true }], "response.created"],
  [
    "responses that nobody keeps",
    (model) => ["/v1/responses", { model, input: "hello", stream: true, store: false }],
    "response.created",
  ],
];

describe.each(operations)(
  "A streamed answer (%s) of a provider that begins and then thinks",
  (_name, ask, begins) => {
    it.each(["chat", "messages", "gemini"])(
      "begins while %s thinks, and ends the call when its caller leaves",
      async (model) => {
        const [path, body] = ask(model);
        const leaving = new AbortController();
        const answer = await gateway.call(path, { body, signal: leaving.signal });
        const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
        let seen = "";
        while (!seen.includes(begins)) seen += (await reader.read()).value ?? "";
        expect(thinking.size).toBe(1);
        leaving.abort();
        await until(() => thinking.size === 0);
      },
    );
  },
);
