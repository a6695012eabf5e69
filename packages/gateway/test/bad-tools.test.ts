import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatProviders, formatProvidersConfig } from "./support/every-provider.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

type Simulator = Awaited<ReturnType<typeof startSimulator>>;
type Json = Record<string, unknown>;

let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator();
  gateway = await startTestGateway({ config: formatProvidersConfig(simulator.url) });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});
beforeEach(() => simulator.reset());

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Tool {
  readonly name: string;
  readonly schema: Json;
}

/** How a format says the same: tools, and a call with its result, either of which may be missing. */
interface Dialect {
  readonly path: (model: string) => string;
  readonly body: (model: string, tools: readonly Tool[], turns: readonly Turn[]) => Json;
  /** Whether a body is an error as this format has it. */
  readonly isError: (body: Json) => boolean;
}

type Turn = "user" | "call" | "result" | "image result";

const image = `data:image/png;base64,${png}`;
const dialects: Readonly<Record<string, Dialect>> = {
  chat: {
    path: () => "/v1/chat/completions",
    body: (model, tools, turns) => ({
      model,
      messages: turns.map((turn) => {
        if (turn === "user") return { role: "user", content: "hi" };
        const call = { id: "call_1", type: "function", function: { name: "one", arguments: "{}" } };
        if (turn === "call") return { role: "assistant", content: null, tool_calls: [call] };
        const content = turn === "result" ? "done" : [{ type: "image_url", image_url: { url: image } }];
        return { role: "tool", tool_call_id: "call_1", content };
      }),
      tools: tools.map(({ name, schema }) => ({ type: "function", function: { name, parameters: schema } })),
    }),
    isError: ({ error }) => typeof (error as Json)?.message === "string" && "param" in (error as Json),
  },
  responses: {
    path: () => "/v1/responses",
    body: (model, tools, turns) => ({
      model,
      input: turns.map((turn) => {
        if (turn === "user") return { role: "user", content: "hi" };
        if (turn === "call")
          return { type: "function_call", call_id: "call_1", name: "one", arguments: "{}" };
        const output = turn === "result" ? "done" : [{ type: "input_image", image_url: image }];
        return { type: "function_call_output", call_id: "call_1", output };
      }),
      tools: tools.map(({ name, schema }) => ({ type: "function", name, parameters: schema })),
    }),
    isError: ({ error }) => typeof (error as Json)?.message === "string" && "param" in (error as Json),
  },
  messages: {
    path: () => "/v1/messages",
    body: (model, tools, turns) => ({
      model,
      max_tokens: 100,
      messages: turns.map((turn) => {
        if (turn === "user") return { role: "user", content: "hi" };
        const call = { type: "tool_use", id: "toolu_1", name: "one", input: {} };
        if (turn === "call") return { role: "assistant", content: [call] };
        const source = { type: "base64", media_type: "image/png", data: png };
        const content = turn === "result" ? "done" : [{ type: "image", source }];
        return { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content }] };
      }),
      tools: tools.map(({ name, schema }) => ({ name, input_schema: schema })),
    }),
    isError: ({ type, error }) => type === "error" && typeof (error as Json)?.message === "string",
  },
  contents: {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    body: (_model, tools, turns) => ({
      contents: turns.map((turn) => {
        if (turn === "user") return { role: "user", parts: [{ text: "hi" }] };
        if (turn === "call") return { role: "model", parts: [{ functionCall: { name: "one", args: {} } }] };
        const parts = [{ inlineData: { mimeType: "image/png", data: png } }];
        const functionResponse = {
          name: "one",
          response: { result: "done" },
          ...(turn === "result" ? {} : { parts }),
        };
        return { role: "user", parts: [{ functionResponse }] };
      }),
      tools: [
        { functionDeclarations: tools.map(({ name, schema }) => ({ name, parametersJsonSchema: schema })) },
      ],
    }),
    isError: ({ error }) =>
      typeof (error as Json)?.code === "number" && typeof (error as Json)?.status === "string",
  },
};

const plain: Json = { type: "object", properties: { a: { type: "string" } } };
const tool = (name: string, schema = plain): Tool => ({ name, schema });
let deep: Json = { type: "string" };
for (let depth = 0; depth < 60; depth += 1) deep = { type: "object", properties: { a: deep } };
const words: Json = {
  type: "object",
  $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  properties: {
    one: { oneOf: [{ type: "string" }, { type: "number" }] },
    all: { allOf: [{ type: "object", properties: { b: { type: "string" } } }, { required: ["b"] }] },
    list: { type: "array" },
    when: { type: "string", format: "uri-reference", pattern: "^a(?=b)" },
    not: { not: { type: "null" } },
    tree: { $ref: "#/$defs/node" },
    map: { type: "object", patternProperties: { "^x": { type: "string" } }, propertyNames: { minLength: 2 } },
    // As a literal it would look like a promise.
    if: JSON.parse('{"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"type": "number"}}'),
    const: { const: 1 },
    kinds: { type: ["string", "null"], enum: ["a", null] },
    tuple: { type: "array", prefixItems: [{ type: "string" }], items: false },
    any: true,
    exact: { type: "number", exclusiveMinimum: 0, multipleOf: 2 },
  },
  additionalProperties: { type: "string" },
};
const long = "mcp__a_server_with_a_long_name__".padEnd(100, "x");

const cases: Readonly<Record<string, { tools: readonly Tool[]; turns?: readonly Turn[] }>> = {
  "two tools of one name": { tools: [tool("one"), tool("one", { type: "object", properties: {} })] },
  "names that become one when cut": { tools: [tool(`${long}1`), tool(`${long}2`)] },
  "names with characters that are refused": { tools: [tool("a.b:c/d e"), tool("9tool"), tool("a_b_c_d_e")] },
  "an empty name": { tools: [tool("")] },
  "500 tools": { tools: Array.from({ length: 500 }, (_, at) => tool(`tool_${at}`)) },
  "a deep schema": { tools: [tool("one", deep)] },
  "keywords that some refuse": { tools: [tool("one", words)] },
  "a schema of another type": { tools: [tool("one", { type: "string" })] },
  "a choice as the schema": {
    tools: [tool("one", { oneOf: [plain, { type: "object", properties: { b: { type: "number" } } }] })],
  },
  "a reference to nothing": {
    tools: [tool("one", { type: "object", properties: { a: { $ref: "#/$defs/none" } } })],
  },
  "a reference to a file": {
    tools: [tool("one", { type: "object", properties: { a: { $ref: "file:///etc/passwd" } } })],
  },
  "a call without its result": { tools: [tool("one")], turns: ["user", "call", "user"] },
  "a result without its call": { tools: [tool("one")], turns: ["user", "result"] },
  "a result that comes twice": { tools: [tool("one")], turns: ["user", "call", "result", "result"] },
  "an image in a result": { tools: [tool("one")], turns: ["user", "call", "image result"] },
};

type Provider = (typeof formatProviders)[number];

/** The format that a provider speaks itself: its own rules count for names there, and nothing is translated. */
function isOwn(provider: Provider, dialect: string): boolean {
  if (provider === "openai") return dialect === "chat" || dialect === "responses";
  return (
    (provider === "anthropic" && dialect === "messages") || (provider === "gemini" && dialect === "contents")
  );
}

const always = (): boolean => true;
/** What is refused; everything else is brought to where the provider takes it. */
const refused: Readonly<Record<string, (provider: Provider, dialect: string) => boolean>> = {
  // OpenAI and the hosts with its format tell nobody; what translates from Responses and Google's format does.
  "two tools of one name": (provider, dialect) =>
    dialect === "contents" ||
    (dialect === "responses" && provider !== "openai") ||
    (provider !== "openai" && provider !== "host"),
  "names that become one when cut": (provider, dialect) =>
    isOwn(provider, dialect) && provider !== "anthropic",
  "names with characters that are refused": isOwn,
  "an empty name": isOwn,
  "500 tools": (provider) => provider === "openai",
  "a choice as the schema": (provider, dialect) => isOwn(provider, dialect) && provider !== "gemini",
  "a call without its result": always,
  "a result without its call": always,
  // The Responses of OpenAI take the last one.
  "a result that comes twice": (provider, dialect) => provider !== "openai" || dialect !== "responses",
};

describe.each(Object.entries(dialects))("Tools in %s", (name, dialect) => {
  describe.each(formatProviders)("at %s", (provider) => {
    it.each(Object.entries(cases))(
      "%s: answered, or refused with what is wrong",
      async (title, { tools, turns }) => {
        const body = dialect.body(provider, tools, turns ?? ["user"]);
        const answer = await gateway.call(dialect.path(provider), { body });
        const got = (await answer.json()) as Json;
        const isRefused = refused[title]?.(provider, name) ?? false;
        expect(answer.status, JSON.stringify(got)).toBe(isRefused ? 400 : 200);
        if (isRefused) expect(dialect.isError(got)).toBe(true);
      },
    );
  });
});
