import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eventFrame } from "../../../simulator/src/bedrock/event-frame.ts";
import type { JsonObject } from "../../src/contract/json.ts";

/** The wire formats of providers that the gateway translates from. */
export const scriptedFormats = ["chat", "messages", "gemini", "bedrock"] as const;
export type ScriptedFormat = (typeof scriptedFormats)[number];

/** What a provider of each format answers. */
export interface Script {
  readonly whole: JsonObject;
  /** Of a stream; one of text goes out as the data of an event. Bedrock's have their name as their only member. */
  readonly events: readonly (JsonObject | string)[];
}

/** Answers calls of every format with what the test wants next. */
export interface ScriptedProvider {
  readonly url: string;
  /** Calls so far. */
  calls: number;
  script: Script;
  /** What the next calls get in its place, each one. */
  readonly before: Script[];
  close(): void;
}

/** Starts a provider at all of whose addresses the script answers. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const server = createServer(async (request, response) => {
    provider.calls += 1;
    const script = provider.before.shift() ?? provider.script;
    const path = request.url ?? "";
    const isStream = /"stream":true/.test(await text(request)) || /alt=sse|converse-stream/.test(path);
    if (!isStream) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(script.whole));
      return;
    }
    const type = path.includes("converse") ? "application/vnd.amazon.eventstream" : "text/event-stream";
    response.writeHead(200, { "content-type": type });
    for (const event of script.events) response.write(written(event, path));
    response.end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const provider: ScriptedProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: 0,
    script: { whole: {}, events: [] },
    before: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return provider;
}

function written(event: JsonObject | string, path: string): string | Buffer {
  if (typeof event === "string") return `data: ${event}\n\n`;
  if (path.includes("converse")) {
    const [[name, payload]] = Object.entries(event) as [[string, unknown]];
    return eventFrame({ ":message-type": "event", ":event-type": name }, payload);
  }
  const named = typeof event.type === "string" ? `event: ${event.type}\n` : "";
  return `${named}data: ${JSON.stringify(event)}\n\n`;
}

/** A configuration with a deployment of each format at the provider, under the format's name. */
export function scriptedConfig(url: string, settings = "num_retries: 0, disable_cooldowns: true"): string {
  const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00003";
  return `model_list:
  - {model_name: chat, litellm_params: {model: hosted_vllm/m, api_base: "${url}/v1", api_key: k, ${price}}}
  - {model_name: messages, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}", api_key: k, ${price}}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}", api_key: k, ${price}}}
  - {model_name: bedrock, litellm_params: {model: bedrock/anthropic.claude-sonnet-4-20250514-v1:0, api_base: "${url}", api_key: k, ${price}}}
router_settings: {${settings}}
`;
}

/** What an answer says beside its text, as JSON values of the format. */
export interface Said {
  /** Why it ends, in the format's words; none where it says nothing. */
  readonly reason: string | undefined;
  /** Tokens in and out. */
  readonly counts?: readonly [input: unknown, output: unknown];
}

/** A script in which a provider says `hi`. */
export function scriptOf(
  format: ScriptedFormat,
  { reason, counts: [input, output] = [12, 34] }: Said,
): Script {
  switch (format) {
    case "chat": {
      const usage = { prompt_tokens: input, completion_tokens: output };
      const names = { id: "c", created: 1, model: "m" };
      const chunk = (choices: JsonObject[], rest: JsonObject = {}) => ({
        ...{ ...names, object: "chat.completion.chunk", choices },
        ...rest,
      });
      return {
        whole: {
          ...{ ...names, object: "chat.completion", usage },
          choices: [
            { index: 0, message: { role: "assistant", content: "hi" }, finish_reason: reason ?? null },
          ],
        },
        events: [
          chunk([{ index: 0, delta: { role: "assistant", content: "hi" }, finish_reason: null }]),
          chunk([{ index: 0, delta: {}, finish_reason: reason ?? null }]),
          chunk([], { usage }),
          "[DONE]",
        ],
      };
    }
    case "messages": {
      const message = { id: "m", type: "message", role: "assistant", model: "m" };
      const usage = { input_tokens: input, output_tokens: output };
      const end = { stop_reason: reason ?? null, stop_sequence: null };
      return {
        whole: { ...message, content: [{ type: "text", text: "hi" }], ...end, usage },
        events: [
          {
            type: "message_start",
            message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
          },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: end, usage: { output_tokens: output } },
          { type: "message_stop" },
        ],
      };
    }
    case "gemini": {
      const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output };
      const content = { role: "model", parts: [{ text: "hi" }] };
      const end = reason === undefined ? {} : { finishReason: reason };
      return {
        whole: { candidates: [{ index: 0, content, ...end }], usageMetadata },
        events: [
          { candidates: [{ index: 0, content }], usageMetadata: { promptTokenCount: input } },
          {
            candidates: [{ index: 0, content: { role: "model", parts: [{ text: "" }] }, ...end }],
            usageMetadata,
          },
        ],
      };
    }
    case "bedrock": {
      const usage = { inputTokens: input, outputTokens: output };
      return {
        whole: {
          output: { message: { role: "assistant", content: [{ text: "hi" }] } },
          stopReason: reason,
          usage,
        },
        events: [
          { messageStart: { role: "assistant" } },
          { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "hi" } } },
          { contentBlockStop: { contentBlockIndex: 0 } },
          { messageStop: { stopReason: reason } },
          { metadata: { usage } },
        ],
      };
    }
  }
}

/** The formats that callers speak. */
export const callerFormats = ["chat", "messages", "responses", "gemini"] as const;
export type CallerFormat = (typeof callerFormats)[number];

/** A call of a model in a caller's format: path and body. */
export function callOf(
  format: CallerFormat,
  model: string,
  stream: boolean,
): [path: string, body: JsonObject] {
  const messages = [{ role: "user", content: "hello" }];
  switch (format) {
    case "chat":
      return ["/v1/chat/completions", { model, messages, stream }];
    case "messages":
      return ["/v1/messages", { model, max_tokens: 9, messages, stream }];
    case "responses":
      return ["/v1/responses", { model, input: "hello", stream, store: false }];
    case "gemini": {
      const operation = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      return [
        `/v1beta/models/${model}:${operation}`,
        { contents: [{ role: "user", parts: [{ text: "hello" }] }] },
      ];
    }
  }
}
