import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatDialect } from "./chat/chat-dialect.ts";
import { messagesDialect } from "./messages/messages-dialect.ts";
import { RepeatedEvent } from "./repeated-event.ts";
import { responsesDialect } from "./responses/responses-dialect.ts";
import { parseSseFrame } from "./sse-event.ts";

const dialects = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect };
type Format = keyof typeof dialects;

/** What a stream's grammar says of each event, and how many of them it did not have to read. */
function verdicts(format: Format, frames: readonly string[], repeated: RepeatedEvent | undefined) {
  const grammar = dialects[format].grammar();
  let repeats = 0;
  const said: unknown[] = [];
  for (const frame of frames) {
    const number = grammar.nextSequenceNumber;
    const added = repeated?.addedBy(frame, number);
    let wrong: string | undefined;
    if (added === undefined) {
      const event = parseSseFrame(frame);
      if (event !== undefined) wrong = grammar.accept(event.event, event.data);
      if (event !== undefined && wrong === undefined) repeated?.remember(frame, grammar.addedText, number);
    } else {
      repeats += 1;
      grammar.repeat!(added);
    }
    const { outputCharacters, hasContent, isComplete, failed, nextSequenceNumber } = grammar;
    said.push([wrong, outputCharacters, hasContent, isComplete, failed, nextSequenceNumber, grammar.usage()]);
    if (wrong !== undefined) break;
  }
  return { said, repeats };
}

/** Texts, of which some are written with escapes, and some stand elsewhere in an event too. */
const texts = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    " b",
    "content",
    "text",
    "c",
    "0",
    '"',
    "\\",
    "\n",
    "\u0007",
    "é€😀",
    "5",
    "delta",
  ),
  fc.string(),
);

const chat = fc
  .tuple(texts, fc.constantFrom({}, {}, {}, { reasoning: "r" }, { role: "assistant" }, { tool_calls: [] }))
  .chain(([content, more]) =>
    fc.record({
      id: fc.constantFrom("c", "c", "c", "d"),
      choices: fc.constantFrom(
        [{ index: 0, delta: { content, ...more } }],
        [{ index: 0, delta: { ...more, content }, finish_reason: null }],
        [{ index: 0, delta: { content }, finish_reason: "stop" }],
        [{ index: 1, delta: { content } }],
        [],
      ),
      usage: fc.constantFrom(null, { prompt_tokens: 1, completion_tokens: 2 }),
      obfuscation: fc.constantFrom("x", "yz", content),
    }),
  );

const messages = fc
  .tuple(texts, fc.nat(1))
  .chain(([text, index]) =>
    fc.constantFrom<object>(
      { type: "content_block_delta", index, delta: { type: "text_delta", text } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: text } },
      { type: "content_block_stop", index },
      { type: "content_block_start", index, content_block: { type: "text", text: "" } },
      { type: "ping" },
    ),
  );

const responses = fc
  .tuple(texts, fc.nat(40))
  .chain(([delta, number]) =>
    fc.constantFrom<object>(
      { type: "response.output_text.delta", output_index: 0, delta, sequence_number: -1 },
      { sequence_number: -1, type: "response.output_text.delta", delta, obfuscation: delta, output_index: 0 },
      { type: "response.output_text.delta", delta, obfuscation: "zz", sequence_number: -1 },
      { type: "response.output_text.delta", delta, sequence_number: number },
      { type: "response.output_text.delta", delta, x: { sequence_number: 3 }, sequence_number: -1 },
      { type: "response.output_text.delta", output_index: 1, delta, sequence_number: -1 },
      { type: "response.completed", delta, sequence_number: -1 },
    ),
  );

const beginnings: Readonly<Record<Format, readonly object[]>> = {
  chat: [],
  messages: [
    { type: "message_start", message: { usage: {} } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
  responses: [
    { type: "response.created", response: { id: "r" }, sequence_number: 0 },
    { type: "response.output_item.added", output_index: 0, item: {}, sequence_number: 1 },
  ],
};

/** Events as they are sent; a number of -1 stands for the right one. */
function framesOf(format: Format, events: readonly object[], spaced: readonly boolean[]): string[] {
  return [...beginnings[format], ...events].map((event, at) => {
    const numbered = "sequence_number" in event && event.sequence_number === -1;
    const body = numbered ? { ...event, sequence_number: at } : event;
    const name = "type" in body ? `event: ${String(body.type)}\n` : "";
    const isSpaced = spaced[at % spaced.length] === true;
    return `${name}data: ${isSpaced ? JSON.stringify(body, null, 1).replaceAll("\n", " ") : JSON.stringify(body)}\n\n`;
  });
}

/** Events that follow each other and look alike; N is the number of each. */
const alikes: readonly (readonly [Format, ...string[]])[] = [
  [
    "chat",
    '{"id":"a","choices":[{"index":0,"delta":{"content":"\\u0061"}}]}',
    '{"id":"b","choices":[{"index":0,"delta":{"content":"\\u0061"}}]}',
  ],
  [
    "chat",
    '{"id":"a","choices":[{"index":0,"delta":{"content":"a"}}]}',
    '{"id":"b","choices":[{"index":0,"delta":{"content":"a"}}]}',
  ],
  [
    "chat",
    '{"choices":[{"index":0,"delta":{"content":"content","reasoning":""}}]}',
    '{"choices":[{"index":0,"delta":{"text":"content","reasoning":""}}]}',
  ],
  [
    "messages",
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}',
    '{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}}',
  ],
  [
    "messages",
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"text_delta"}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","text":"text_delta"}}',
  ],
  [
    "responses",
    '{"type":"response.output_text.delta","delta":"a","sequence_number" : N,"x":{"sequence_number":N}}',
    '{"type":"response.output_text.delta","delta":"a","sequence_number" : 2,"x":{"sequence_number":N}}',
  ],
  [
    "responses",
    '{"type":"response.output_text.delta","delta":"a","sequence_number":N,"obfuscation":"b"}',
    '{"type":"response.output_text.delta","delta":"a","sequence_number":N,"obfuscation":"b","response":{"id":"x"}}',
  ],
  [
    "responses",
    '{"type":"response.output_text.delta","output_index":0,"sequence_number":N,"delta":"b"}',
    '{"type":"response.output_text.delta","output_index":1,"sequence_number":N,"delta":"b"}',
  ],
];

describe("RepeatedEvent", () => {
  it.each([
    ["chat", chat],
    ["messages", messages],
    ["responses", responses],
  ] as const)("says of a stream of %s what reading each event says", (format, event) => {
    const events = fc.array(event as fc.Arbitrary<object>, { maxLength: 12 });
    const spaced = fc.array(fc.boolean(), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(events, spaced, (list, spaces) => {
        const frames = framesOf(format, list, spaces);
        expect(verdicts(format, frames, new RepeatedEvent()).said).toEqual(
          verdicts(format, frames, undefined).said,
        );
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["chat", { id: "c", choices: [{ index: 0, delta: { content: "-" }, finish_reason: null }] }],
    ["messages", { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "-" } }],
    [
      "responses",
      {
        type: "response.output_text.delta",
        sequence_number: -1,
        output_index: 0,
        delta: "-",
        obfuscation: "=",
      },
    ],
  ] as const)("reads one of a hundred deltas of %s", (format, event) => {
    const frames = framesOf(format, Array<object>(100).fill(event), [false]).map((frame, at) =>
      frame.replace('"-"', `"word ${at}"`).replace('"="', `"${"x".repeat(at % 7)}"`),
    );
    const { said, repeats } = verdicts(format, frames, new RepeatedEvent());
    expect(said).toHaveLength(frames.length);
    expect(repeats).toBe(99);
  });

  it.each(alikes.map(([format, ...events]) => ({ format, events })))(
    "does not take events for the same that differ elsewhere: $format, $events.0",
    ({ format, events }) => {
      const numbers = format === "responses" ? framesOf(format, [], [false]).length : 0;
      const sent = events.map((data, at) => `data: ${data.replaceAll("N", String(numbers + at))}\n\n`);
      const frames = [...framesOf(format, [], [false]), ...sent];
      expect(verdicts(format, frames, new RepeatedEvent()).said).toEqual(
        verdicts(format, frames, undefined).said,
      );
    },
  );

  it.each(Object.keys(dialects) as Format[])("says the same of %s whatever else is another one", (format) => {
    const value = fc.constantFrom(
      '"a"',
      '"b"',
      '"\\u0061"',
      "0",
      "1",
      "2",
      "3",
      '"delta"',
      '"text"',
      '"content"',
    );
    const change = fc.tuple(fc.nat(30), value);
    const base = fc.constantFrom(
      ...alikes.filter(([name]) => name === format).flatMap(([, ...events]) => events),
    );
    fc.assert(
      fc.property(base, fc.array(fc.option(change), { minLength: 2, maxLength: 5 }), (event, changes) => {
        const start = framesOf(format, [], [false]);
        const sent = changes.map((changed, at) => {
          const numbered = event.replaceAll("N", String(start.length + at));
          let seen = 0;
          const other = numbered.replace(/"[^"\\]*"|\d+/g, (token) =>
            seen++ === changed?.[0] ? changed[1] : token,
          );
          return `data: ${other}\n\n`;
        });
        const frames = [...start, ...sent];
        expect(verdicts(format, frames, new RepeatedEvent()).said).toEqual(
          verdicts(format, frames, undefined).said,
        );
      }),
      { numRuns: 5000 },
    );
  });
});
