import { describe, expect, it } from "vitest";
import { eventFrame } from "../../simulator/src/bedrock/event-frame.ts";
import type { AnswerContext } from "../src/contract/dialect.ts";
import type { JsonObject } from "../src/contract/json.ts";
import type { Usage } from "../src/contract/usage.ts";
import { directDeployment } from "../src/core/routing/direct-deployment.ts";
import { guardNative } from "../src/formats/guarded-stream.ts";
import { encodeNeutral } from "../src/formats/neutral-stream.ts";
import { type DialectFormat, dialectOf } from "../src/formats/registry.ts";
import type { StreamOutcome } from "../src/formats/stream-outcome.ts";
import { findProvider } from "../src/providers/registry.ts";
import { callerFormats, type ScriptedFormat, scriptedFormats } from "./support/scripted-provider.ts";

/** Streams of every provider's format, damaged in every way, end in every caller's format as they end where they pass. */

type Event = JsonObject | string;

const context: AnswerContext = { model: "m", request: {}, callId: "0123-4567", created: 1_700_000_000 };

const models: Readonly<Record<ScriptedFormat, readonly [provider: string, model: string]>> = {
  chat: ["hosted_vllm", "m"],
  messages: ["anthropic", "claude-sonnet-4-5"],
  gemini: ["gemini", "gemini-2.5-flash"],
  bedrock: ["bedrock", "anthropic.claude-sonnet-4-20250514-v1:0"],
};

const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const call = { name: "weather", arguments: "" };
const candidate = (parts: JsonObject[], rest: JsonObject = {}) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, ...rest }],
});
const usage = (input: unknown, output: unknown) => ({ input_tokens: input, output_tokens: output });
const at = (contentBlockIndex: number, rest: JsonObject = {}) => ({ contentBlockIndex, ...rest });

/** Text, then a call of a tool. */
const streams: Readonly<Record<ScriptedFormat, readonly Event[]>> = {
  chat: [
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "he" }),
    chunk({ content: "llo" }),
    chunk({ tool_calls: [{ index: 0, id: "t1", type: "function", function: call }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
    chunk({}, "tool_calls"),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 12, completion_tokens: 34 } },
    "[DONE]",
  ],
  messages: [
    {
      type: "message_start",
      message: { id: "m", type: "message", role: "assistant", model: "m", content: [], usage: usage(12, 1) },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "he" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "llo" } },
    { type: "content_block_stop", index: 0 },
    {
      ...{ type: "content_block_start", index: 1 },
      content_block: { type: "tool_use", id: "t1", name: "weather", input: {} },
    },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a":1}' } },
    { type: "content_block_stop", index: 1 },
    {
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { output_tokens: 34 },
    },
    { type: "message_stop" },
  ],
  gemini: [
    { ...candidate([{ text: "he" }]), usageMetadata: { promptTokenCount: 12 } },
    { ...candidate([{ text: "llo" }]), usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 2 } },
    candidate([{ functionCall: { name: "weather", args: { a: 1 } } }]),
    {
      ...candidate([{ text: "" }], { finishReason: "STOP" }),
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 34 },
    },
  ],
  bedrock: [
    { messageStart: { role: "assistant" } },
    { contentBlockDelta: at(0, { delta: { text: "he" } }) },
    { contentBlockDelta: at(0, { delta: { text: "llo" } }) },
    { contentBlockStop: at(0) },
    { contentBlockStart: at(1, { start: { toolUse: { toolUseId: "t1", name: "weather" } } }) },
    { contentBlockDelta: at(1, { delta: { toolUse: { input: '{"a":1}' } } }) },
    { contentBlockStop: at(1) },
    { messageStop: { stopReason: "tool_use" } },
    { metadata: { usage: { inputTokens: 12, outputTokens: 34 } } },
  ],
};

/** One that begins an answer where there has been one, one that says nothing of the format, and one that is no JSON. */
const strange: readonly Event[] = [{}, { choices: 3 }, "{"];

type Damage = readonly [what: string, events: readonly Event[]];

/** Every event left out, twice, in its successor's place, at the stream's end, and every one as the last. */
function damagesOf(events: readonly Event[]): Damage[] {
  return [
    ["none", events],
    ...events.flatMap((event, index): Damage[] => [
      [`${index} is missing`, events.toSpliced(index, 1)],
      [`${index} comes twice`, events.toSpliced(index, 0, event)],
      [`${index} comes late`, events.toSpliced(index, 1).toSpliced(index + 1, 0, event)],
      [`${index} comes again at the end`, [...events, event]],
      [`${index} comes again before the end`, events.toSpliced(-1, 0, event)],
      [`cut before ${index}`, events.slice(0, index)],
      ...strange.map(
        (other): Damage => [`${JSON.stringify(other)} before ${index}`, events.toSpliced(index, 0, other)],
      ),
    ]),
  ];
}

/** Other counts in the place of the last ones. */
function countsOf(format: ScriptedFormat): Damage[] {
  const values = [1, 0, -1, 1e300, "34", null, [3], {}];
  return values.map((value) => {
    const text = JSON.stringify(streams[format]).replaceAll("34", JSON.stringify(value));
    return [`counts are ${JSON.stringify(value)}`, JSON.parse(text) as Event[]];
  });
}

async function* bytesOf(format: ScriptedFormat, events: readonly Event[]): AsyncGenerator<Uint8Array> {
  for (const event of events) {
    if (format === "bedrock") {
      const [entry] = typeof event === "string" ? [] : Object.entries(event);
      const [name, payload] = entry ?? ["other", event];
      yield eventFrame({ ":message-type": "event", ":event-type": name }, payload);
    } else if (typeof event === "string") yield Buffer.from(`data: ${event}\n\n`);
    else {
      const name = typeof event.type === "string" ? `event: ${event.type}\n` : "";
      yield Buffer.from(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
  }
}

interface End {
  readonly status: StreamOutcome["status"];
  readonly usage: Usage | undefined;
  readonly text: string;
}

async function endOf(
  start: (onEnd: (end: StreamOutcome) => undefined) => AsyncIterable<Uint8Array>,
): Promise<End> {
  let outcome: StreamOutcome | undefined;
  const parts: Uint8Array[] = [];
  const stream = start((end) => {
    outcome = end;
  });
  for await (const part of stream) parts.push(part);
  return { status: outcome!.status, usage: outcome!.usage, text: Buffer.concat(parts).toString("utf8") };
}

function native(format: DialectFormat, bytes: AsyncIterable<Uint8Array>): Promise<End> {
  return endOf((onEnd) => guardNative(bytes, dialectOf(format), { onEnd }));
}

function translated(
  from: ScriptedFormat,
  to: DialectFormat,
  bytes: AsyncGenerator<Uint8Array>,
): Promise<End> {
  const [provider, model] = models[from];
  const direct = directDeployment(`${provider}/${model}`, "http://provider.invalid");
  const deployment = { ...direct, apiKey: "k", params: { aws_region_name: "us-east-1" } };
  const fetch = async () => new Response(ReadableStream.from(bytes) as ReadableStream, { status: 200 });
  const languageModel = findProvider(provider)!.languageModel(deployment, model, fetch);
  const options = dialectOf("chat").toCallOptions({ model, messages: [{ role: "user", content: "hi" }] });
  return endOf(async function* (onEnd) {
    const { stream } = await languageModel.doStream(options);
    yield* encodeNeutral(stream, dialectOf(to), context, { onEnd });
  });
}

/** What hosts do that is no damage: the format, and the stream. */
const oddities: readonly (readonly [string, ScriptedFormat, readonly Event[]])[] = [
  ...[undefined, null].map((choices): readonly [string, ScriptedFormat, readonly Event[]] => [
    `usage beside choices that are ${choices}`,
    "chat",
    streams.chat.with(6, { ...(streams.chat[6] as JsonObject), choices }),
  ]),
  [
    "choices without an index",
    "chat",
    JSON.parse(JSON.stringify(streams.chat).replaceAll('"index":0,"delta"', '"delta"')) as Event[],
  ],
  [
    "an empty answer without a start",
    "bedrock",
    [
      { messageStop: { stopReason: "end_turn" } },
      { metadata: { usage: { inputTokens: 12, outputTokens: 34 } } },
    ],
  ],
  [
    "text after a call",
    "gemini",
    [...streams.gemini.slice(0, 3), candidate([{ text: "more" }]), ...streams.gemini.slice(3)],
  ],
];

const oddInFormats = oddities.flatMap(([what, from, events]) =>
  callerFormats.map((to) => [what, from, to, events] as const),
);
it.each(oddInFormats)("%s of a %s provider is a whole answer in %s", async (_, from, to, events) => {
  const bytes = bytesOf(from, events);
  const { status, usage: counts } = await (from === to ? native(to, bytes) : translated(from, to, bytes));
  expect(status).toBe("complete");
  expect(counts).toMatchObject({ input: 12, output: 34 });
});

/** The last event of a stream that broke off. */
const errorEnd = /^(?:data: \{"error":|event: error\n|event: response\.failed\n)/;

/** What Converse's order allows, beside which nothing passes. */
const allowedOfBedrock =
  /^(?:none|[1258] is missing|[125] comes twice|[18] comes late|cut before 8|counts|\{\} before)/;

/** What an answer that passes may do, and one that is translated not. */
const stricter: ReadonlySet<string> = new Set(["chat: 2 comes late"]);

describe.each(scriptedFormats)("a damaged stream of a %s provider", (from) => {
  const damages = [...damagesOf(streams[from]), ...countsOf(from)];

  it.each(callerFormats.filter((to) => to !== from))("ends in %s as where it passes", async (to) => {
    const different: string[] = [];
    let broken = 0;
    for (const [what, events] of damages) {
      const expected =
        from === "bedrock"
          ? { status: allowedOfBedrock.test(what) ? "complete" : "failed", usage: undefined }
          : await native(from, bytesOf(from, events));
      const end = await translated(from, to, bytesOf(from, events));
      if (stricter.has(`${from}: ${what}`))
        expect([expected.status, end.status]).toEqual(["complete", "failed"]);
      else if (end.status !== expected.status)
        different.push(`${what}: ${end.status}, not ${expected.status}`);
      else if (end.status === "complete" && from !== "bedrock") {
        const counts = ({ input = 0, output = 0 }: Partial<Usage> = {}) => `${input} ${output}`;
        if (counts(end.usage) !== counts(expected.usage))
          different.push(`${what}: counts ${counts(end.usage)}, not ${counts(expected.usage)}`);
      }
      if (end.status === "failed") {
        broken += 1;
        if (!errorEnd.test(end.text.trimEnd().split("\n\n").at(-1)!))
          different.push(`${what}: no error event`);
      }
    }
    expect(different).toEqual([]);
    expect(broken).toBeGreaterThan(damages.length / 4);
  });
});
