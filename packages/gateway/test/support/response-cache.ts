import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./gateway.ts";
import { startRedis, type TestRedis } from "./redis.ts";

const KEYS = {
  ann: "sk-cache-of-ann-0123456789",
  bob: "sk-cache-of-bob-0123456789",
  eve: "sk-cache-of-eve-0123456789",
  lone: "sk-cache-of-lone-0123456789",
  alone: "sk-cache-of-alone-0123456789",
};

function configuration(url: string, settings: string): string {
  return `
model_list:
  - model_name: gpt
    litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", api_key: simulated}
  - model_name: gemini
    litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/google", api_key: simulated}
  - model_name: embed
    litellm_params: {model: openai/text-embedding-3-small, api_base: "${url}/openai/v1", api_key: simulated}
litellm_settings: {cache: true, compat_headers: litellm, cache_params: {${settings}}}
general_settings: {master_key: sk-test-master-key-0123456789}
router_settings: {num_retries: 0}
keys:
  - {key: ${KEYS.ann}, team_id: red, key_alias: ann}
  - {key: ${KEYS.bob}, team_id: red}
  - {key: ${KEYS.eve}, team_id: blue}
  - {key: ${KEYS.lone}}
  - {key: ${KEYS.alone}}
`;
}

const tools = [
  {
    name: "look_up",
    description: "Looks a place up",
    parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
  },
];
const question = "what is where?";

/** A call of one kind through its maker's client: whole or streamed; both give the answer without ids and times. */
interface Caller {
  readonly whole: (url: string, key: string, model: string, text: string) => Promise<unknown>;
  readonly streamed: (url: string, key: string, model: string, text: string) => Promise<unknown>;
}

const openai = (url: string, key: string) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
const anthropic = (url: string, key: string) => new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
const google = (url: string, key: string) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });

const callers: Readonly<Record<string, Caller>> = {
  "chat completions": {
    whole: async (url, key, model, text) => {
      const { choices, usage } = await openai(url, key).chat.completions.create(chat(model, text));
      return { message: choices[0]!.message, end: choices[0]!.finish_reason, tokens: usage?.total_tokens };
    },
    streamed: async (url, key, model, text) => {
      const options = { include_usage: true };
      const stream = openai(url, key).chat.completions.stream({
        ...chat(model, text),
        stream_options: options,
      });
      const { choices, usage } = await stream.finalChatCompletion();
      return { message: choices[0]!.message, end: choices[0]!.finish_reason, tokens: usage?.total_tokens };
    },
  },
  messages: {
    whole: async (url, key, model, text) => {
      const { content, stop_reason, usage } = await anthropic(url, key).messages.create(message(model, text));
      return { content, stop_reason, tokens: usage.output_tokens };
    },
    streamed: async (url, key, model, text) => {
      const stream = anthropic(url, key).messages.stream(message(model, text));
      const { content, stop_reason, usage } = await stream.finalMessage();
      return { content, stop_reason, tokens: usage.output_tokens };
    },
  },
  responses: {
    whole: async (url, key, model, text) => {
      const { output, status, usage } = await openai(url, key).responses.create(response(model, text));
      return { output, status, tokens: usage?.total_tokens };
    },
    streamed: async (url, key, model, text) => {
      const stream = openai(url, key).responses.stream(response(model, text));
      const { output, status, usage } = await stream.finalResponse();
      return { output, status, tokens: usage?.total_tokens };
    },
  },
  generateContent: {
    whole: async (url, key, model, text) => {
      const answer = await google(url, key).models.generateContent(content(model, text));
      return { calls: answer.functionCalls, text: textOf(answer), tokens: answer.usageMetadata };
    },
    streamed: async (url, key, model, text) => {
      const told = { calls: undefined as unknown, text: "", tokens: undefined as unknown };
      for await (const answer of await google(url, key).models.generateContentStream(content(model, text))) {
        told.calls = answer.functionCalls ?? told.calls;
        told.text += textOf(answer);
        told.tokens = answer.usageMetadata ?? told.tokens;
      }
      return told;
    },
  },
};

function textOf({ candidates }: { candidates?: { content?: { parts?: { text?: string }[] } }[] }): string {
  return (candidates?.[0]?.content?.parts ?? []).map(({ text }) => text ?? "").join("");
}

function chat(model: string, text: string) {
  const messages = [{ role: "user" as const, content: text }];
  if (text !== question) return { model, messages };
  return { model, messages, tools: tools.map((tool) => ({ type: "function" as const, function: tool })) };
}

function message(model: string, text: string) {
  const messages = [{ role: "user" as const, content: text }];
  if (text !== question) return { model, max_tokens: 100, messages };
  const named = tools.map(({ parameters, ...tool }) => ({
    ...tool,
    input_schema: parameters as { type: "object" },
  }));
  return { model, max_tokens: 100, messages, tools: named };
}

function response(model: string, text: string) {
  if (text !== question) return { model, input: text };
  return {
    model,
    input: text,
    tools: tools.map((tool) => ({ type: "function" as const, strict: false, ...tool })),
  };
}

function content(model: string, text: string) {
  if (text !== question) return { model, contents: text };
  const functionDeclarations = tools.map(({ parameters, ...tool }) => ({
    ...tool,
    parametersJsonSchema: parameters,
  }));
  return { model, contents: text, config: { tools: [{ functionDeclarations }] } };
}

/** Everything but ids, times, and texts that are not there: a stream begins with an empty one, a whole answer has `null`. */
function plain(answer: unknown): unknown {
  const passing = ["id", "call_id", "created", "created_at", "parsed", "parsed_arguments"];
  const isAbsent = (name: string, value: unknown) =>
    passing.includes(name) || value === null || (name === "content" && value === "");
  return JSON.parse(JSON.stringify(answer, (name, value) => (isAbsent(name, value) ? undefined : value)));
}

/** Every operation whose answers are kept, by every way to ask for it. */
function operationsOf(
  text: string,
  model = "",
): Readonly<Record<string, readonly [path: string, body: object]>> {
  const options = { stream: true, stream_options: { include_usage: true } };
  const parts = { contents: [{ role: "user", parts: [{ text }] }] };
  return {
    "chat completions": ["/v1/chat/completions", { ...chat(model, text), n: 1 }],
    "chat completions, streamed": ["/v1/chat/completions", { ...chat(model, text), ...options }],
    messages: ["/v1/messages", message(model, text)],
    "messages, streamed": ["/v1/messages", { ...message(model, text), stream: true }],
    responses: ["/v1/responses", response(model, text)],
    "responses, streamed": ["/v1/responses", { ...response(model, text), stream: true }],
    generateContent: [`/v1beta/models/${model}:generateContent`, parts],
    "generateContent, streamed": [`/v1beta/models/${model}:streamGenerateContent?alt=sse`, parts],
    "generateContent, streamed as a list": [`/v1beta/models/${model}:streamGenerateContent`, parts],
    embeddings: ["/v1/embeddings", { model, input: [text, "and more"], encoding_format: "float" }],
  };
}

/** An answer's events, or its one body, without ids and times. */
function eventsOf(text: string): unknown[] {
  if (!/^(?:event|data):/m.test(text)) return [JSON.parse(text) as unknown].flat().map(withoutIds);
  const data = [...text.matchAll(/^data: ?(.*)$/gm)].map(([, value]) => value!);
  return data.map((value) => (value === "[DONE]" ? value : withoutIds(JSON.parse(value))));
}

const IDS = /^(?:id|call_id|item_id|created|created_at|completed_at|responseId|createTime)$/;

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    IDS.test(name) ? typeof member : withoutIds(member),
  ]);
  return Object.fromEntries(members);
}

let texts = 0;

/** A text that nobody has asked yet. */
function newText(): string {
  texts += 1;
  return `hello number ${texts}`;
}

/** Tests a response cache of a kind: in the process's memory, or in a Redis of the test's own. */
export function testResponseCache(type: "local" | "redis"): void {
  let simulator: Simulator;
  let redis: TestRedis | undefined;
  let gateway: TestGateway;

  beforeAll(async () => {
    simulator = await startSimulator();
    redis = type === "redis" ? await startRedis() : undefined;
    const place = redis === undefined ? "" : `, url: "${redis.url}"`;
    gateway = await startTestGateway({ config: configuration(simulator.url, `type: ${type}${place}`) });
  });
  afterAll(async () => {
    await gateway?.close();
    await simulator?.close();
    await redis?.stop();
  });

  const ways = ["whole", "streamed"] as const;
  const kinds = Object.keys(callers).flatMap((kind) =>
    ["gpt", "claude", "gemini"].flatMap((model) =>
      ways.flatMap((first) => ways.map((second) => [kind, model, first, second] as const)),
    ),
  );

  it.each(kinds)("answers %s of %s, first %s, then %s", async (kind, model, first, second) => {
    const caller = callers[kind]!;
    for (const text of [newText(), question]) {
      const name = text === question ? `${question}` : text;
      await gateway.call("/cache/flushall", { method: "POST" });
      const before = simulator.received().length;
      const made = await caller[first](gateway.url, KEYS.ann, model, name);
      expect(simulator.received()).toHaveLength(before + 1);
      const again = await caller[second](gateway.url, KEYS.bob, model, name);
      expect(simulator.received()).toHaveLength(before + 1);
      expect(plain(again)).toEqual(plain(made));
      await caller[second](gateway.url, KEYS.eve, model, name);
      expect(simulator.received()).toHaveLength(before + 2);
    }
  });

  const operations = Object.keys(operationsOf("")).flatMap((name) =>
    (name === "embeddings" ? ["embed"] : ["gpt", "claude", "gemini"]).map((model) => [name, model] as const),
  );

  it.each(operations)("answers %s of %s as the first time, but for ids and times", async (name, model) => {
    const [path, body] = operationsOf(newText(), model)[name]!;
    const ask = async (key: string) => {
      const answer = await gateway.call(path, { key, body });
      const text = await answer.text();
      const type = answer.headers.get("content-type");
      return { status: answer.status, type, events: eventsOf(text) };
    };
    const before = simulator.received().length;
    const first = await ask(KEYS.ann);
    expect(first).toMatchObject({ status: 200 });
    expect(first.events.length).toBeGreaterThan(name.includes("stream") ? 1 : 0);
    for (const key of [KEYS.ann, KEYS.bob]) expect(await ask(key)).toEqual(first);
    expect(simulator.received()).toHaveLength(before + 1);
    for (const key of [KEYS.eve, KEYS.lone, KEYS.alone]) await ask(key);
    expect(simulator.received()).toHaveLength(before + 4);
  });

  it("answers embeddings", async () => {
    const input = newText();
    const embed = (key: string) => openai(gateway.url, key).embeddings.create({ model: "embed", input });
    const before = simulator.received().length;
    const first = await embed(KEYS.ann);
    expect(await embed(KEYS.bob)).toEqual(first);
    expect(simulator.received()).toHaveLength(before + 1);
    await embed(KEYS.eve);
    expect(simulator.received()).toHaveLength(before + 2);
  });

  it("keeps keys without a team apart", async () => {
    const text = newText();
    const before = simulator.received().length;
    for (const key of [KEYS.lone, KEYS.alone, KEYS.lone])
      await callers.messages!.whole(gateway.url, key, "claude", text);
    expect(simulator.received()).toHaveLength(before + 2);
  });

  it("costs nothing, counts as a request and says so in its headers", async () => {
    const body = { model: "claude", max_tokens: 9, messages: [{ role: "user", content: newText() }] };
    const made = await gateway.call("/v1/messages", { key: KEYS.ann, body });
    await made.text();
    const hit = await gateway.call("/v1/messages", { key: KEYS.ann, body });
    await hit.text();
    expect(Number(made.headers.get("x-portico-response-cost"))).toBeGreaterThan(0);
    expect(hit.headers.get("x-portico-response-cost")).toBe("0");
    const key = made.headers.get("x-portico-cache-key");
    expect(key).toMatch(/^portico:answer:[0-9a-f]{64}$/);
    expect(hit.headers.get("x-portico-cache-key")).toBe(key);
    expect(hit.headers.get("x-litellm-cache-key")).toBe(key);
    expect([made, hit].map(({ headers }) => headers.get("x-portico-cache-hit"))).toEqual(["false", "true"]);
    expect(hit.headers.get("x-portico-model-id")).toBe(made.headers.get("x-portico-model-id"));
    const callId = hit.headers.get("x-portico-call-id")!;
    const logs = (await (await gateway.call(`/spend/logs?request_id=${callId}`)).json()) as {
      data: { spend: number; total_tokens: number; status: string }[];
    };
    expect(logs.data).toMatchObject([{ spend: 0, total_tokens: 0, status: "success" }]);
  });

  it("obeys the request's controls", async () => {
    const text = newText();
    const ask = async (cache?: object, key = KEYS.ann): Promise<number> => {
      const before = simulator.received().length;
      const body = { model: "gpt", messages: [{ role: "user", content: text }], ...(cache && { cache }) };
      await (await gateway.call("/v1/chat/completions", { key, body })).text();
      return simulator.received().length - before;
    };
    expect(await ask({ "no-store": true })).toBe(1);
    expect(await ask({ ttl: 0 })).toBe(1);
    expect(await ask()).toBe(1);
    expect(await ask()).toBe(0);
    expect(await ask({ "s-maxage": 3600 })).toBe(0);
    expect(await ask({ "no-cache": true })).toBe(1);
    expect(await ask({ namespace: "mine" })).toBe(1);
    expect(await ask({ namespace: "mine" })).toBe(0);
    expect(await ask({ namespace: "mine" }, KEYS.eve)).toBe(1);
  });

  it("forgets what an administrator deletes", async () => {
    const body = { model: "gpt", messages: [{ role: "user", content: newText() }] };
    const ask = () => gateway.call("/v1/chat/completions", { key: KEYS.ann, body });
    const key = (await ask()).headers.get("x-portico-cache-key")!;
    expect((await gateway.call("/cache/delete", { body: { keys: [key] }, key: KEYS.ann })).status).toBe(403);
    expect((await ask()).headers.get("x-portico-cache-hit")).toBe("true");
    const deleted = await gateway.call("/cache/delete", { body: { keys: [key] } });
    expect(await deleted.json()).toEqual({ status: "success" });
    expect((await ask()).headers.get("x-portico-cache-hit")).toBe("false");
    expect(await (await gateway.call("/cache/ping")).json()).toMatchObject({
      status: "healthy",
      cache_type: type,
    });
  });

  it("never keeps a stream that broke", async () => {
    const text = `${newText()} and on and on and on and on`;
    const body = {
      model: "claude",
      max_tokens: 99,
      stream: true,
      messages: [{ role: "user", content: text }],
    };
    simulator.setFault({ path: "/anthropic", fault: "cut=700", times: 1 });
    const ask = () => gateway.call("/v1/messages", { key: KEYS.ann, body }).then((reply) => reply.text());
    const broken = await ask();
    expect(broken).not.toContain("message_stop");
    const whole = await ask();
    expect(whole).toContain("message_stop");
    expect(await ask()).toBe(whole);
  });
}
