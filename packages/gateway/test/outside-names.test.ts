import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inputItems } from "../src/features/conversations/items.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

// Names that every JavaScript object has: a table that is a plain object seems to know them.
const inherited = ["constructor", "toString", "__proto__", "hasOwnProperty"];

/** A provider whose answers have such a name wherever a word is looked up. */
const provider = createServer((request, response) => {
  const word = /inherited-(\w+)/.exec(String(request.headers["x-word"]))?.[1] ?? "";
  const path = request.url ?? "";
  request.resume().on("end", () => {
    if (path.endsWith("/messages")) {
      response.setHeader("content-type", "text/event-stream");
      const message = { id: "msg_1", type: "message", role: "assistant", content: [], model: "m", usage: {} };
      const events = [
        { type: "message_start", message },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
        { type: "content_block_delta", index: 0, delta: { type: word, text: "more" } },
        { type: "error", error: { type: word, message: "over" } },
      ];
      for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
      return;
    }
    response.setHeader("content-type", "application/json");
    const message = { role: "assistant", content: "hi" };
    response.end(
      JSON.stringify({ id: "c", choices: [{ index: 0, message, finish_reason: word }], usage: {} }),
    );
  });
});

let gateway: TestGateway;

beforeAll(async () => {
  await once(provider.listen(0, "127.0.0.1"), "listening");
  const base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const entry = (name: string, params: string): string =>
    `  - {model_name: "${name}", litellm_params: {${params}, api_key: k}}\n`;
  gateway = await startTestGateway({
    config: `model_list:
${inherited
  .flatMap((word) => {
    const headers = `extra_headers: {x-word: inherited-${word}}`;
    return [
      entry(`chat-${word}`, `model: hosted_vllm/m, api_base: "${base}/v1", ${headers}`),
      entry(`messages-${word}`, `model: anthropic/m, api_base: "${base}", ${headers}`),
    ];
  })
  .join("")}  - {model_name: mocked, litellm_params: {model: openai/m, mock_response: hi}}
  - {model_name: "*", litellm_params: {model: openai/*, mock_response: hi}}
  - {model_name: veo, litellm_params: {model: gemini/veo-3.0, api_base: "${base}", api_key: k}}
router_settings: {num_retries: 0, disable_cooldowns: true, fallbacks: [{other: [mocked]}]}
`,
  });
});
afterAll(async () => {
  await gateway.close();
  provider.closeAllConnections();
  provider.close();
});

describe.each(inherited)("the name %s", (word) => {
  const messages = [{ role: "user", content: "hello" }];

  it("as a finish reason is one that nobody knows", async () => {
    const body = { model: `chat-${word}`, max_tokens: 9, messages };
    const answer = await (await gateway.call("/v1/messages", { body })).json();
    expect(answer).toMatchObject({ stop_reason: "end_turn", content: [{ text: "hi" }] });
  });

  it("as a delta's type is a new one, and as an error's type an error", async () => {
    const body = { model: `messages-${word}`, max_tokens: 9, messages, stream: true };
    const native = await (await gateway.call("/v1/messages", { body })).text();
    expect(native).toContain(`"type":"${word}","text":"more"`);
    expect(native).toContain("event: error");
    const translated = await (await gateway.call("/v1/chat/completions", { body })).text();
    expect(translated).toContain('"content":"hi"');
    expect(translated).toContain('"error"');
    expect(translated).not.toContain("[DONE]");
  });

  it("as a model is looked for in the list alone", async () => {
    const response = await gateway.call("/v1/chat/completions", { body: { model: word, messages } });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-portico-model-name")).toBe(`openai/${word}`);
  });

  it("as an item's type gets an id like other new types", () => {
    expect(inputItems([{ type: word }])[0]!.id).toMatch(/^item_[0-9a-f]{48}$/);
  });

  it("as a field of a video has no counterpart", async () => {
    const body = JSON.stringify({ model: "veo", prompt: "a cat" }).replace("}", `, "${word}": "1"}`);
    const response = await fetch(`${gateway.url}/v1/videos`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.masterKey}`, "content-type": "application/json" },
      body,
    });
    // The member `__proto__` is taken out of every body before anyone looks at it.
    if (word === "__proto__") expect(response.status).not.toBe(500);
    else expect(response.status).toBe(400);
  });
});
