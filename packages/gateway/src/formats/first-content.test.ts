import { describe, expect, it } from "vitest";
import { type DialectFormat, dialectOf } from "./registry.ts";

const chat = (delta: object, finish: string | null = null): object => ({
  id: "c",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const messageStart = {
  type: "message_start",
  message: { id: "m", usage: { input_tokens: 1, output_tokens: 0 } },
};
const block = (type: string): object => ({ type: "content_block_start", index: 0, content_block: { type } });
const created = { type: "response.created", sequence_number: 0, response: { id: "r" } };
const item = { type: "response.output_item.added", sequence_number: 1, output_index: 0, item: {} };

/** Events after which another deployment may still take over, and then one after which none may. */
const streams: readonly [DialectFormat, string, readonly object[], object][] = [
  ["chat", "a text", [chat({ role: "assistant", content: "" })], chat({ content: "x" })],
  ["chat", "reasoning", [chat({ role: "assistant", content: null })], chat({ reasoning_content: "x" })],
  ["chat", "a refusal", [], chat({ refusal: "x" })],
  ["chat", "a tool call", [], chat({ tool_calls: [{ index: 0, id: "t", function: { name: "f" } }] })],
  ["chat", "an older function call", [], chat({ function_call: { name: "f", arguments: "" } })],
  ["chat", "an end without content", [chat({ role: "assistant" })], chat({}, "stop")],
  [
    "chat",
    "a text after the results of a filter",
    [{ choices: [], prompt_filter_results: [{}] }],
    chat({ content: "x" }),
  ],
  [
    "messages",
    "a text",
    [messageStart, { type: "ping" }, block("text")],
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } },
  ],
  [
    "messages",
    "a thought",
    [messageStart, block("thinking")],
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "x" } },
  ],
  ["messages", "a tool's use", [messageStart], block("tool_use")],
  [
    "messages",
    "an end without content",
    [messageStart],
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} },
  ],
  [
    "responses",
    "an item",
    [created, { type: "response.in_progress", sequence_number: 1, response: { id: "r" } }],
    { ...item, sequence_number: 2 },
  ],
  [
    "responses",
    "an item after the queue",
    [created, { type: "response.queued", sequence_number: 1, response: { id: "r" } }],
    { ...item, sequence_number: 2 },
  ],
];

describe("the first content of a stream", () => {
  it.each(streams)("%s: %s", (format, _name, before, first) => {
    const grammar = dialectOf(format).grammar();
    for (const event of before) {
      expect(grammar.accept(undefined, JSON.stringify(event))).toBeUndefined();
      expect(grammar.hasContent).toBe(false);
    }
    expect(grammar.accept(undefined, JSON.stringify(first))).toBeUndefined();
    expect(grammar.hasContent).toBe(true);
  });

  it("is not an error event", () => {
    for (const format of ["chat", "messages", "responses"] as const) {
      const grammar = dialectOf(format).grammar();
      grammar.accept(undefined, JSON.stringify({ type: "error", error: { message: "content" } }));
      expect(grammar).toMatchObject({ failed: true, hasContent: false });
    }
  });
});
