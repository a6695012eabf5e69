import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { legacyMessage, register } from "./support/a2a.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

/** A key that looks like none: hosts give out anything. */
const CREDENTIAL = 'plain"credential42';

/** Quotes the credentials that it is asked with: in a refusal, and in the midst of a stream. */
const provider = createServer((request, response) => {
  const {
    authorization = "",
    "x-api-key": key,
    "x-goog-api-key": googleKey,
    "api-key": azureKey,
  } = request.headers;
  const said = key ?? googleKey ?? azureKey ?? authorization.replace(/^bearer /i, "");
  const error = { error: { message: `Incorrect key ${String(said)} given`, type: "invalid", code: 400 } };
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    const isStream = body.includes('"stream":true') || request.url?.includes("alt=sse");
    response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
    if (isStream) return response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
    if (request.url === "/agent") {
      const { message } = error.error;
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message } }));
    }
    response.statusCode = 400;
    return response.end(JSON.stringify(error));
  });
});

let gateway: TestGateway;
beforeAll(async () => {
  await new Promise<void>((listening) => provider.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const key = JSON.stringify(CREDENTIAL);
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: chat, litellm_params: {model: openai/m, api_key: ${key}, api_base: "${url}/v1"}}
  - {model_name: messages, litellm_params: {model: anthropic/m, api_key: ${key}, api_base: "${url}"}}
  - {model_name: gemini, litellm_params: {model: gemini/m, api_key: ${key}, api_base: "${url}"}}
  - {model_name: azure, litellm_params: {model: azure/m, api_key: ${key}, api_base: "${url}", api_version: "2025-01-01"}}
router_settings: {num_retries: 0, disable_cooldowns: true}
general_settings:
  master_key: ${MASTER_KEY}
  pass_through_endpoints:
    - {path: /tool, target: "${url}/tool", headers: {authorization: ${JSON.stringify(`Bearer ${CREDENTIAL}`)}}}
`,
  });
  await register(gateway, {
    agent_name: "quoting",
    agent_card_params: { name: "Quoting", description: "d", url: `${url}/agent`, protocolVersion: "0.3.0" },
    gateway_params: { api_key: CREDENTIAL, allow_private_networks: true },
  });
});
afterAll(async () => {
  await gateway?.close();
  provider.closeAllConnections();
  provider.close();
});

const hello = { messages: [{ role: "user", content: "hi" }], max_tokens: 9 };
const models = ["chat", "messages", "gemini", "azure"];
const calls: readonly (readonly [path: string, body: object | undefined])[] = [
  ...models.flatMap((model) =>
    [false, true].flatMap((stream) => [
      ["/v1/chat/completions", { ...hello, model, stream }] as const,
      ["/v1/messages", { ...hello, model, stream }] as const,
      ["/v1/responses", { model, input: "hi", stream }] as const,
    ]),
  ),
  ["/v1/embeddings", { model: "chat", input: "hi" }],
  ["/v1beta/models/gemini:generateContent", { contents: [{ role: "user", parts: [{ text: "hi" }] }] }],
  ["/v1/containers", { name: "c", model: "chat" }],
  ["/openai/v1/fine_tuning/jobs", undefined],
  ["/anthropic/v1/skills", undefined],
  ["/gemini/v1beta/cachedContents", undefined],
  ["/tool", undefined],
  ["/a2a/quoting", { jsonrpc: "2.0", id: 1, method: "message/send", params: legacyMessage("hi") }],
];

it.each(calls)("Nobody reads the credentials that a provider quotes: %s %j", async (path, body) => {
  const response = await gateway.call(path, body === undefined ? {} : { body });
  const text = await response.text();
  // An error in a stream that is none of its provider's format is told without its text.
  if (!JSON.stringify(body ?? {}).includes('"stream":true'))
    expect(text).toContain("Incorrect key *** given");
  expect(text).not.toContain("credential42");
  expect(gateway.log()).not.toContain("credential42");
});
