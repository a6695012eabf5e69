import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import type { AnswerContext, EventCheck } from "../contract/dialect.ts";
import { type DialectFormat, dialectOf } from "./registry.ts";
import { parseSseFrame } from "./sse-event.ts";

type Part = LanguageModelV3StreamPart;

const formats: readonly DialectFormat[] = ["chat", "messages", "responses", "gemini"];
const someText = fc.oneof(anyText, fc.constantFrom("", "\n\n", "\u{e000}text\u{e000}"));
const signature = fc.option(someText, { nil: undefined });

function signed(text: string | undefined) {
  return text === undefined ? {} : { providerMetadata: { anthropic: { signature: text } } };
}

/** Blocks of text, of thoughts, and calls of tools, in pieces and whole; their ids are those of their places. */
const blocks: fc.Arbitrary<(id: string) => Part[]> = fc.oneof(
  fc.array(someText).map((deltas) => (id: string): Part[] => [
    { type: "text-start", id },
    ...deltas.map((delta): Part => ({ type: "text-delta", id, delta })),
    { type: "source", sourceType: "url", id: `s${id}`, url: "https://example.com", title: "t" },
    { type: "text-end", id },
  ]),
  fc.tuple(fc.array(someText), signature).map(([deltas, sign]) => (id: string): Part[] => [
    { type: "reasoning-start", id },
    ...deltas.map((delta): Part => ({ type: "reasoning-delta", id, delta })),
    { type: "reasoning-delta", id, delta: "", ...signed(sign) },
    { type: "reasoning-end", id },
  ]),
  fc.array(someText).map((deltas) => (id: string): Part[] => [
    { type: "tool-input-start", id, toolName: "f" },
    ...deltas.map((delta): Part => ({ type: "tool-input-delta", id, delta })),
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName: "f", input: deltas.join("") },
  ]),
  someText.map((input) => (id: string): Part[] => [
    { type: "tool-call", toolCallId: id, toolName: "g", input },
  ]),
);

const finish: Part = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 20, text: 20, reasoning: 0 },
  },
};

const context = fc.record({ model: someText, withUsage: fc.boolean() }).map(
  ({ model, withUsage }): AnswerContext => ({
    model,
    request: { stream_options: { include_usage: withUsage } },
    callId: "0123-4567",
    created: 1_700_000_000,
  }),
);

/** What a reader finds in the text of events. */
function readEvents(text: string): unknown[] {
  return text.split(/(?<=\n\n)/).map((frame) => {
    const { event, data } = parseSseFrame(frame)!;
    return [event, data === "[DONE]" ? data : JSON.parse(data)];
  });
}

describe.each(formats)("the encoder of %s", (format) => {
  it("tells the check of what it writes and of nothing else, in its order", () => {
    fc.assert(
      fc.property(context, fc.array(blocks, { maxLength: 4 }), (given, made) => {
        const told: unknown[] = [];
        const check: EventCheck = (event, data) => {
          told.push([event, typeof data === "string" ? data : JSON.parse(JSON.stringify(data))]);
        };
        const encoder = dialectOf(format).encoder(given, check);
        const parts = [...made.flatMap((block, at) => block(String(at))), finish];
        const text = parts.map((part) => encoder.push(part)).join("");
        expect(readEvents(text)).toEqual(told);
      }),
    );
  });

  it("writes nothing of a part of which the check refuses an event", () => {
    const encoder = dialectOf(format).encoder(
      { model: "m", request: {}, callId: "0123-4567", created: 0 },
      () => {
        throw new Error("refused");
      },
    );
    expect(() => encoder.push(finish)).toThrow("refused");
  });
});
