import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatProvidersConfig } from "./support/every-provider.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator();
  const nova = `  - {model_name: nova, litellm_params: {model: "bedrock/us.amazon.nova-2-lite-v1:0", api_key: k, api_base: "${simulator.url}/bedrock"}}`;
  const config = formatProvidersConfig(simulator.url).replace("router_settings", `${nova}\nrouter_settings`);
  gateway = await startTestGateway({ config });
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: gateway.masterKey });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});

const prompt = "[[sim:search Tea]] What is tea?";

/** What a caller learns of a search, in whichever format. */
interface Learnt {
  readonly text: string;
  /** What was searched for; `undefined` in a format that does not tell. */
  readonly queries: readonly string[] | undefined;
  /** Addresses of the cited pages. */
  readonly cited: readonly string[];
  /** The part of the text that the first citation is for, where the format tells. */
  readonly passage?: string | undefined;
}

type Citations = { url: string; start_index: number; end_index: number }[];

function learntOf(text: string, queries: readonly string[] | undefined, annotations: Citations): Learnt {
  const [first] = annotations;
  const passage = first === undefined ? undefined : text.slice(first.start_index, first.end_index);
  return { text, queries, cited: annotations.map(({ url }) => url), passage };
}

type ChatPiece = { content?: string | null; annotations?: { url_citation: Citations[number] }[] };

async function chat(model: string, stream: boolean): Promise<Learnt> {
  const request = {
    model,
    web_search_options: {},
    messages: [{ role: "user" as const, content: prompt }],
  };
  const pieces: ChatPiece[] = [];
  if (stream)
    for await (const { choices } of await openai.chat.completions.create({ ...request, stream }))
      pieces.push(...choices.map(({ delta }) => delta as ChatPiece));
  else
    pieces.push(
      ...(await openai.chat.completions.create(request)).choices.map(({ message }) => message as ChatPiece),
    );
  const text = pieces.map(({ content }) => content ?? "").join("");
  const annotations = pieces.flatMap((piece) => piece.annotations ?? []);
  return learntOf(
    text,
    undefined,
    annotations.map(({ url_citation }) => url_citation),
  );
}

async function responses(model: string, stream: boolean): Promise<Learnt> {
  const request = { model, input: prompt, tools: [{ type: "web_search" as const }], store: false };
  const response = stream
    ? await openai.responses.stream(request).finalResponse()
    : await openai.responses.create(request);
  const queries = response.output.flatMap((item) =>
    item.type === "web_search_call" && item.action.type === "search" ? (item.action.queries ?? []) : [],
  );
  const parts = response.output.flatMap((item) => (item.type === "message" ? item.content : []));
  const annotations = parts.flatMap((part) => (part.type === "output_text" ? part.annotations : []));
  return learntOf(response.output_text, queries, annotations as Citations);
}

async function messages(model: string, stream: boolean): Promise<Learnt> {
  const request = {
    model,
    max_tokens: 99,
    messages: [{ role: "user" as const, content: prompt }],
    tools: [{ type: "web_search_20250305" as const, name: "web_search" as const }],
  };
  const { content, usage } = stream
    ? await anthropic.messages.stream(request).finalMessage()
    : await anthropic.messages.create(request);
  const calls = content.flatMap((block) => (block.type === "server_tool_use" ? [block] : []));
  const results = content.flatMap((block) => (block.type === "web_search_tool_result" ? [block] : []));
  expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(calls.map(({ id }) => id));
  // Nova hides which pages it found.
  for (const result of results) expect(result.content).toHaveLength(model === "nova" ? 0 : 2);
  expect(usage.server_tool_use?.web_search_requests ?? 0).toBe(calls.length);
  const texts = content.flatMap((block) => (block.type === "text" ? [block] : []));
  return {
    text: texts.map(({ text }) => text).join(""),
    queries: calls.map(({ input }) => (input as { query: string }).query),
    cited: texts
      .flatMap(({ citations }) => citations ?? [])
      .map((citation) => ("url" in citation ? citation.url : "")),
  };
}

interface Generated {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly { readonly text?: string }[] };
    readonly groundingMetadata?: {
      readonly webSearchQueries: string[];
      readonly groundingChunks: { web: { uri: string } }[];
    };
  }[];
}

async function contents(model: string, stream: boolean): Promise<Learnt> {
  const response = await gateway.call(
    `/v1beta/models/${model}:${stream ? "streamGenerateContent" : "generateContent"}`,
    {
      body: { contents: [{ role: "user", parts: [{ text: prompt }] }], tools: [{ googleSearch: {} }] },
    },
  );
  const body = (await response.json()) as Generated | Generated[];
  const candidates = [body].flat().flatMap((answer) => answer.candidates);
  const grounding = candidates.map(({ groundingMetadata }) => groundingMetadata).find((found) => found);
  return {
    text: candidates.flatMap(({ content }) => content.parts.map(({ text }) => text ?? "")).join(""),
    queries: grounding?.webSearchQueries ?? [],
    cited: grounding?.groundingChunks.map(({ web }) => web.uri) ?? [],
  };
}

const callers = { chat, responses, messages, contents };
/** OpenAI has its search in its own two formats only, and Claude at Bedrock none. */
const without = new Set([
  "messages openai",
  "contents openai",
  ...Object.keys(callers).map((name) => `${name} bedrock`),
]);

const rows = Object.entries(callers).flatMap(([name, ask]) =>
  ["openai", "anthropic", "gemini", "bedrock", "nova"].flatMap((model) =>
    [false, true].map((stream) => ({ name, ask, model, stream })),
  ),
);

describe("the provider's own search in the web", () => {
  it.each(rows)("reaches $name from $model, streamed: $stream", async ({ name, ask, model, stream }) => {
    const learnt = await ask(model, stream);
    const told = name !== "chat";
    if (without.has(`${name} ${model}`)) {
      expect(learnt).toMatchObject({ text: "echo: What is tea?", queries: told ? [] : undefined, cited: [] });
      return;
    }
    expect(learnt).toMatchObject({
      text: "found: About Tea",
      queries: told ? ["Tea"] : undefined,
      cited: ["https://example.com/tea", "https://example.org/tea"],
    });
    if ("passage" in learnt) expect(learnt.passage).toBe("found: About Tea");
  });
});
