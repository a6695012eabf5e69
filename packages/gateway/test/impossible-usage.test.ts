import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventFrame } from "../../simulator/src/bedrock/event-frame.ts";
import type { JsonObject } from "../src/contract/json.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";

/** No count of tokens, as JSON: a fault of the provider's. */
const IMPOSSIBLE = ["-5", "-1e300", "1e15", "9007199254740993", "1e19", "1e300", "1e400", '"12"', "[3]"];
/** What the databases' columns of whole numbers must hold as well. */
const POSSIBLE = ["0.5", "3"];
/** US dollars that none of the calls costs. */
const DEAR = 0.01;

const usage = { prompt_tokens: "@in", completion_tokens: "@out" };
const converse = { inputTokens: "@in", outputTokens: "@out" };
const counts = { input_tokens: "@in", output_tokens: "@out" };
const chunk = (choices: JsonObject[], rest = {}) => ({
  ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices },
  ...rest,
});
const said = {
  ...{ type: "message", id: "m", role: "assistant", status: "completed" },
  content: [{ type: "output_text", text: "hi", annotations: [] }],
};
const response = { id: "resp_1", object: "response", created_at: 1, status: "completed", model: "m" };
const message = { id: "m", type: "message", role: "assistant", model: "m", stop_reason: "end_turn" };
const content = {
  candidates: [{ content: { role: "model", parts: [{ text: "hi" }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: "@in", candidatesTokenCount: "@out" },
};

/** A provider's answer, and the events of a stream of it, by what is in the path. */
const answers: Readonly<Record<string, readonly [whole: JsonObject, events: JsonObject[]]>> = {
  "/chat/completions": [
    {
      ...{ id: "c", object: "chat.completion", created: 1, model: "m", usage },
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
    },
    [
      chunk([{ index: 0, delta: { role: "assistant", content: "hi" }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
      chunk([], { usage }),
    ],
  ],
  "/v1/responses": [
    { ...response, output: [said], usage: counts },
    [
      { type: "response.created", sequence_number: 0, response: { ...response, output: [] } },
      {
        ...{ type: "response.completed", sequence_number: 1 },
        response: { ...response, output: [said], usage: counts },
      },
    ],
  ],
  "/v1/messages": [
    { ...message, content: [{ type: "text", text: "hi" }], usage: counts },
    [
      { type: "message_start", message: { ...message, content: [], usage: { ...counts, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: "@out" } },
      { type: "message_stop" },
    ],
  ],
  "/models/": [content, [content]],
  "/converse": [
    {
      output: { message: { role: "assistant", content: [{ text: "hi" }] } },
      stopReason: "end_turn",
      usage: converse,
    },
    [
      { messageStart: { role: "assistant" } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "hi" } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      { messageStop: { stopReason: "end_turn" } },
      { metadata: { usage: converse } },
    ],
  ],
  "/embeddings": [
    {
      ...{ object: "list", model: "m", usage: { prompt_tokens: "@in" } },
      data: [{ object: "embedding", index: 0, embedding: [0.1] }],
    },
    [],
  ],
};

/** Calls of each format at each provider, whole and as streams. */
const calls = ["gpt", "claude", "gemini", "bedrock"].flatMap((model) =>
  [false, true].flatMap((stream): [path: string, body: JsonObject][] => [
    ["/v1/chat/completions", { model, messages: [{ role: "user", content: "hello" }], stream }],
    ["/v1/messages", { model, max_tokens: 9, messages: [{ role: "user", content: "hello" }], stream }],
    ["/v1/responses", { model, input: "hello", stream, store: false }],
    [
      `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
      { contents: [{ role: "user", parts: [{ text: "hello" }] }] },
    ],
  ]),
);
calls.push(["/v1/embeddings", { model: "embed", input: "hello" }]);

describe.each(hasPostgres ? ["SQLite", "PostgreSQL"] : ["SQLite"])(
  "Counts that none can be, on %s",
  (store) => {
    let gateway: TestGateway;
    let postgres: TestDatabases | undefined;
    let said: readonly [input: string, output: string] = ["3", "4"];
    const provider = createServer(async (request, response) => {
      const isStream =
        /"stream":true/.test(await text(request)) || /alt=sse|converse-stream/.test(request.url ?? "");
      const [whole, events] = Object.entries(answers).find(([path]) => request.url?.includes(path))![1];
      const parts = (isStream ? events : [whole]).map((each) =>
        JSON.stringify(each).replaceAll('"@in"', said[0]).replaceAll('"@out"', said[1]),
      );
      response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
      const ofEvent = (data: string): string => {
        const type = /^\{"type":"([\w.]+)"/.exec(data)?.[1];
        return `${type === undefined ? "" : `event: ${type}\n`}data: ${data}\n\n`;
      };
      if (request.url?.includes("/converse-stream") === true) {
        for (const part of parts) {
          const [, name, payload] = /^\{"(\w+)":(.*)\}$/.exec(part)!;
          response.write(
            eventFrame({ ":message-type": "event", ":event-type": name! }, JSON.parse(payload!)),
          );
        }
        response.end();
        return;
      }
      const done = request.url?.includes("/chat/completions") === true ? "data: [DONE]\n\n" : "";
      response.end(isStream ? parts.map(ofEvent).join("") + done : parts[0]);
    });

    beforeAll(async () => {
      await new Promise<void>((ready) => provider.listen(0, "127.0.0.1", ready));
      const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
      const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00003";
      postgres = store === "PostgreSQL" ? await openDatabases() : undefined;
      gateway = await startTestGateway({
        environment: { DATABASE_URL: await postgres?.createDatabase() },
        config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_base: "${url}/v1", api_key: k, ${price}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}", api_key: k, ${price}}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}", api_key: k, ${price}}}
  - {model_name: bedrock, litellm_params: {model: bedrock/anthropic.claude-sonnet-4-20250514-v1:0, api_base: "${url}", api_key: k, ${price}}}
  - {model_name: embed, litellm_params: {model: openai/text-embedding-3-small, api_base: "${url}/v1", api_key: k, ${price}}}
router_settings: {num_retries: 0, disable_cooldowns: true}`,
      });
    });
    afterAll(async () => {
      await gateway?.close();
      await postgres?.stop();
      provider.closeAllConnections();
      provider.close();
    });

    it("cost what the gateway counts, and keep no row out of the log", { timeout: 300_000 }, async () => {
      const answered = new Map<string, string>();
      const failed: string[] = [];
      for (const [path, body] of calls)
        for (const value of [...IMPOSSIBLE, ...POSSIBLE])
          for (const place of path === "/v1/embeddings" ? [0] : [0, 1]) {
            said = place === 0 ? [value, "4"] : ["3", value];
            const made = await gateway.call("/key/generate", { body: { max_budget: 1 } });
            const { key } = (await made.json()) as { key: string };
            const answer = await gateway.call(path, { key, body });
            const told = await answer.text().catch((error: unknown) => String(error));
            const what = `${path} ${body.model} ${body.stream === true ? "stream " : ""}${said}`;
            // A number that no JavaScript has is nowhere in an answer that is read and written anew.
            const isUnreadable = path === "/v1/responses" && body.model === "gpt" && value === "1e400";
            if (answer.status === 200 || (isUnreadable && answer.status === 502)) answered.set(key, what);
            else failed.push(`${what}: ${answer.status} ${told}`);
          }
      for (const [key, what] of answered) {
        const { info } = (await (await gateway.call(`/key/info?key=${key}`)).json()) as {
          info: { spend: number };
        };
        if (!(info.spend > 0 && info.spend < DEAR)) failed.push(`${what}: ${info.spend} US dollars`);
      }
      expect(failed).toEqual([]);
      expect(answered.size).toBeGreaterThan(calls.length * 8);
      const day = new Date().toISOString().slice(0, 10);
      const report = `/global/spend/report?start_date=${day}&end_date=${day}&group_by=team`;
      for (const path of ["/spend/logs?limit=100", report])
        expect((await gateway.call(path)).status).toBe(200);
      expect(gateway.log()).not.toContain("refused");
    });
  },
);
