import type { LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { chatDialect } from "../chat/chat-dialect.ts";
import { geminiDialect } from "../gemini/gemini-dialect.ts";
import { messagesDialect } from "../messages/messages-dialect.ts";
import { responsesDialect } from "../responses/responses-dialect.ts";
import { citation, searchParts } from "./web-search.ts";

const dialects = [chatDialect, messagesDialect, responsesDialect, geminiDialect];
const context = { model: "m", request: {}, callId: "c", created: 0 };
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const end = { finishReason: { unified: "stop" as const, raw: "stop" }, usage };
const page = { url: "https://example.com/tea", title: "Tea" };
const failed = searchParts("srvtoolu_2", "coffee", "max_uses_exceeded");
const source = citation("s", page);

function whole(dialect: (typeof dialects)[number]): string {
  const content = [
    ...searchParts("srvtoolu_1", "tea", [page]),
    ...failed,
    text("It is."),
    source,
    text("More."),
  ];
  const result: LanguageModelV3GenerateResult = { content, ...end, warnings: [] };
  return JSON.stringify(dialect.fromResult(result, context));
}

function text(words: string) {
  return { type: "text" as const, text: words };
}

function streamed(dialect: (typeof dialects)[number]): string {
  const parts: LanguageModelV3StreamPart[] = [
    ...searchParts("srvtoolu_1", "tea", [page]),
    ...failed,
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "It is." },
    source,
    { type: "text-end", id: "0" },
    { type: "finish", ...end },
  ];
  const encoder = dialect.encoder(context, () => {});
  return parts.map((part) => encoder.push(part)).join("");
}

/** What stands for the cited page, for what was searched, and for a search that failed. */
const marks: Readonly<Record<string, readonly string[]>> = {
  chat: ['"url_citation":{"start_index":0,"end_index":6,"title":"Tea"'],
  messages: ['"web_search_result_location"', '"web_search_requests":2', '"error_code":"max_uses_exceeded"'],
  responses: ['"query":"tea"', '"query":"coffee"', '"status":"failed"', '"start_index":0,"end_index":6'],
  gemini: ['"webSearchQueries":["tea","coffee"]', '"uri":"https://example.com/tea"'],
};

describe("a provider's search in each dialect", () => {
  it.each(dialects)("is told of by $format, whole and streamed", (dialect) => {
    for (const answer of [whole(dialect), streamed(dialect)])
      for (const mark of marks[dialect.format] ?? ["?"]) expect(answer).toContain(mark);
  });

  it("names what it found where Responses ask for it", () => {
    const request = { include: ["web_search_call.action.sources"] };
    const content = [...searchParts("srvtoolu_1", "tea", [page])];
    const answer = responsesDialect.fromResult({ content, ...end, warnings: [] }, { ...context, request });
    expect(JSON.stringify(answer)).toContain('"sources":[{"type":"url","url":"https://example.com/tea"}]');
  });
});
