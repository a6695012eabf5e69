import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSimulator } from "../src/index.ts";

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator();
  openai = new OpenAI({ baseURL: `${simulator.url}/openai/v1`, apiKey: "k" });
  anthropic = new Anthropic({ baseURL: `${simulator.url}/anthropic`, apiKey: "k" });
});
afterAll(() => simulator?.close());

const input = "[[sim:search Tea]] What is tea?";
const messages = [{ role: "user" as const, content: input }];

describe("the providers' own search in the web", () => {
  it("is an item of OpenAI's Responses, whole and streamed alike", async () => {
    const request = { model: "gpt-4o", input, tools: [{ type: "web_search" as const }] };
    const whole = await openai.responses.create(request);
    expect(whole.output.map(({ type }) => type)).toEqual(["web_search_call", "message"]);
    expect(whole.output[0]).toMatchObject({ action: { type: "search", query: "Tea" } });
    const stream = openai.responses.stream(request);
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(
      expect.arrayContaining([
        "response.web_search_call.in_progress",
        "response.web_search_call.searching",
        "response.web_search_call.completed",
        "response.output_text.annotation.added",
      ]),
    );
    const { output, output_text } = await stream.finalResponse();
    expect(output_text).toBe("found: About Tea");
    const part = output.flatMap((item) => (item.type === "message" ? item.content : []))[0];
    const first = { type: "url_citation", url: "https://example.com/tea", start_index: 0, end_index: 16 };
    expect(part).toMatchObject({ annotations: [first, { url: "https://example.org/tea" }] });
  });

  it("cites in chat completions", async () => {
    const request = { model: "gpt-4o-search-preview", messages, web_search_options: {} };
    const { choices } = await openai.chat.completions.create(request);
    const annotations = choices[0]?.message.annotations;
    expect(annotations?.map(({ url_citation }) => url_citation.title)).toEqual([
      "About Tea",
      "More about Tea",
    ]);
    const seen: unknown[] = [];
    for await (const chunk of await openai.chat.completions.create({ ...request, stream: true }))
      seen.push(...((chunk.choices[0]?.delta as { annotations?: unknown[] } | undefined)?.annotations ?? []));
    expect(seen).toEqual(annotations);
  });

  it("is two blocks and citations of Anthropic's, whole and streamed alike", async () => {
    const tools = [{ type: "web_search_20250305" as const, name: "web_search" as const }];
    const request = { model: "claude-sonnet-4", max_tokens: 99, messages, tools };
    const whole = await anthropic.messages.create(request);
    expect(whole.content.map(({ type }) => type)).toEqual([
      "server_tool_use",
      "web_search_tool_result",
      "text",
    ]);
    expect(whole.usage.server_tool_use?.web_search_requests).toBe(1);
    const streamed = await anthropic.messages.stream(request).finalMessage();
    const plain = (content: unknown): unknown =>
      JSON.parse(JSON.stringify(content).replaceAll(/srvtoolu_\w+/g, "id"));
    expect(plain(streamed.content)).toEqual(plain(whole.content));
    expect(streamed.usage.server_tool_use?.web_search_requests).toBe(1);
  });

  it("is Gemini's grounding, in the last chunk of a stream", async () => {
    const contents = [{ role: "user", parts: [{ text: input }] }];
    const ask = (method: string) =>
      fetch(`${simulator.url}/google/v1beta/models/gemini-2.5-flash:${method}`, {
        method: "POST",
        headers: { "x-goog-api-key": "k", "content-type": "application/json" },
        body: JSON.stringify({ contents, tools: [{ google_search: {} }] }),
      });
    const whole = (await (await ask("generateContent")).json()) as { candidates: object[] };
    const chunks = (await (await ask("streamGenerateContent")).json()) as { candidates: object[] }[];
    for (const answer of [whole, chunks.at(-1)])
      expect(answer?.candidates[0]).toMatchObject({
        groundingMetadata: {
          searchEntryPoint: { renderedContent: expect.any(String) },
          groundingChunks: [{ web: { uri: "https://example.com/tea", title: "About Tea" } }, {}],
          groundingSupports: [{ segment: { endIndex: 16 }, groundingChunkIndices: [0, 1] }],
          webSearchQueries: ["Tea"],
        },
      });
  });

  it("is not run where the request does not offer it", async () => {
    const { choices } = await openai.chat.completions.create({ model: "gpt-4o", messages });
    expect(choices[0]?.message).toMatchObject({ content: "echo: What is tea?", annotations: [] });
  });
});
