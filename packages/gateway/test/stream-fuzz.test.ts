import fc from "fast-check";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnswerContext } from "../src/contract/dialect.ts";
import type { JsonObject } from "../src/contract/json.ts";
import { guardNative } from "../src/formats/guarded-stream.ts";
import { encodeNeutral, partStream } from "../src/formats/neutral-stream.ts";
import { type DialectFormat, dialectOf } from "../src/formats/registry.ts";
import { decodeSseChunks } from "../src/formats/sse-event.ts";
import type { StreamOutcome } from "../src/formats/stream-outcome.ts";
import { fromMessagesStream } from "../src/providers/anthropic/from-stream.ts";
import { fromChatStream } from "../src/providers/openai/from-stream.ts";
import { providerError } from "../src/providers/provider-error.ts";

const formats: readonly DialectFormat[] = ["chat", "messages", "responses", "gemini"];
const tool = {
  name: "weather",
  description: "Weather",
  schema: { type: "object", properties: { city: { type: "string" } } },
};

/** A streamed request in each format: thinking where it shows, text, a tool call, characters of several bytes. */
const requests: Readonly<Record<DialectFormat, { path: string; bodies: readonly JsonObject[] }>> = {
  chat: {
    path: "/compat/v1/chat/completions",
    bodies: ["ü🙂 [[sim:think]]", "call [[sim:tool weather]]"].map((content) => ({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content }],
      ...(content.startsWith("call")
        ? { tools: [{ type: "function", function: { name: tool.name, parameters: tool.schema } }] }
        : {}),
    })),
  },
  messages: {
    path: "/anthropic/v1/messages",
    bodies: [
      {
        model: "claude-sonnet-4-5",
        max_tokens: 4000,
        stream: true,
        thinking: { type: "enabled", budget_tokens: 1024 },
        messages: [{ role: "user", content: "ü🙂" }],
        tools: [{ name: tool.name, input_schema: tool.schema }],
      },
    ],
  },
  responses: {
    path: "/openai/v1/responses",
    bodies: [{ model: "gpt-5", stream: true, input: "ü🙂" }],
  },
  gemini: {
    path: "/google/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    bodies: ["ü🙂", "call [[sim:tool weather]]"].map((text) => ({
      contents: [{ role: "user", parts: [{ text }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      ...(text.startsWith("call") ? { tools: [{ functionDeclarations: [{ name: tool.name }] }] } : {}),
    })),
  },
};

const context: AnswerContext = { model: "m", request: {}, callId: "0123-4567", created: 1_700_000_000 };
const streams: { format: DialectFormat; bytes: Buffer }[] = [];
let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  const headers = {
    "content-type": "application/json",
    authorization: "Bearer any",
    "x-api-key": "any",
    "anthropic-version": "2023-06-01",
  };
  for (const format of formats) {
    for (const body of requests[format].bodies) {
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(simulator.url + requests[format].path, init);
      expect(response.status).toBe(200);
      streams.push({ format, bytes: Buffer.from(await response.arrayBuffer()) });
    }
  }
});
afterAll(() => simulator.close());

async function* chunks(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut > from) yield bytes.subarray(from, cut);
    from = Math.max(from, cut);
  }
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

async function native(format: DialectFormat, source: AsyncIterable<Uint8Array>) {
  const end = new End(dialectOf(format).grammar().endsWithSource === true);
  const text = await end.collect(guardNative(source, dialectOf(format), end));
  return { text, outcome: end.outcome! };
}

/** Hears of a stream's end, which must be before its last bytes go out: an answer is accounted when its caller has it. */
class End {
  outcome: StreamOutcome | undefined;
  readonly #isBodysEnd: boolean;

  /** @param isBodysEnd the format has no last event: its answers end with their body */
  constructor(isBodysEnd = false) {
    this.#isBodysEnd = isBodysEnd;
  }

  readonly onEnd = async (end: StreamOutcome): Promise<void> => {
    expect(this.outcome).toBe(undefined);
    await Promise.resolve();
    this.outcome = end;
  };

  async collect(stream: AsyncIterable<Uint8Array>): Promise<string> {
    let heard = false;
    const text = async function* (this: End): AsyncGenerator<Uint8Array> {
      for await (const chunk of stream) {
        heard = this.outcome !== undefined;
        yield chunk;
      }
    };
    const collected = await collect(text.call(this));
    if (this.#isBodysEnd) expect(this.outcome).toBeDefined();
    else if (collected !== "" && !heard) expect.fail("the last bytes went out first");
    return collected;
  }
}

async function translated(from: DialectFormat, to: DialectFormat, source: AsyncIterable<Uint8Array>) {
  const read = from === "chat" ? fromChatStream : fromMessagesStream;
  const end = new End();
  const stream = partStream(read(decodeSseChunks(source), providerError));
  const text = await end.collect(encodeNeutral(stream, dialectOf(to), context, end));
  return { text: stable(text), outcome: end.outcome! };
}

/** Without the one time that is read from the clock. */
function stable(text: string): string {
  return text.replaceAll(/"completed_at":\d+/g, '"completed_at":0');
}

function endsInError(format: DialectFormat, text: string): boolean {
  const last =
    text
      .trimEnd()
      .split(/\r?\n\r?\n/)
      .at(-1) ?? "";
  if (format === "chat" || format === "gemini") return last.startsWith('data: {"error":');
  if (format === "messages") return last.startsWith("event: error\n");
  return last.startsWith("event: error\n") || last.startsWith("event: response.failed\n");
}

const translations = [
  ["chat", "messages"],
  ["chat", "responses"],
  ["chat", "gemini"],
  ["messages", "gemini"],
  ["messages", "chat"],
  ["messages", "responses"],
] as const;

describe.each(formats)("a native %s stream", (format) => {
  const ofFormat = () => streams.filter((stream) => stream.format === format);

  it("passes byte for byte when it is cut into two chunks at any byte", async () => {
    for (const { bytes } of ofFormat()) {
      for (let at = 0; at <= bytes.length; at += 1) {
        const { text, outcome } = await native(format, chunks(bytes, [at]));
        if (text !== bytes.toString("utf8")) expect.fail(`changed when split at ${at}`);
        if (outcome.status !== "complete") expect.fail(`not complete when split at ${at}`);
      }
    }
  });

  it("passes byte for byte in random chunks, with its usage", async () => {
    for (const { bytes } of ofFormat()) {
      const cuts = fc.array(fc.nat(bytes.length), { maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(cuts, async (unsorted) => {
          const { text, outcome } = await native(
            format,
            chunks(
              bytes,
              unsorted.toSorted((a, b) => a - b),
            ),
          );
          expect(text).toBe(bytes.toString("utf8"));
          expect(outcome.usage?.output).toBeGreaterThan(0);
        }),
        { numRuns: 50 },
      );
    }
  });

  it("ends in an error when it ends at any earlier byte", async () => {
    for (const { bytes } of ofFormat()) {
      const whole = bytes.toString("utf8");
      for (let end = 0; end < bytes.length; end += 1) {
        const { text, outcome } = await native(format, chunks(bytes.subarray(0, end), []));
        if (text === whole && outcome.status === "complete") continue;
        if (!endsInError(format, text)) expect.fail(`no error when cut at ${end}`);
        if (outcome.status !== "failed") expect.fail(`${outcome.status} when cut at ${end}`);
      }
    }
  });

  it("never passes damage on: a byte overwritten anywhere gives the format's own events or an error", async () => {
    for (const { bytes } of ofFormat()) {
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), fc.constantFrom(0, 10, 34, 123, 125), async (at, byte) => {
          const damaged = Buffer.from(bytes);
          damaged[at] = byte;
          const { text, outcome } = await native(format, chunks(damaged, []));
          // A last event without its blank line is completed.
          const right =
            outcome.status === "complete"
              ? text.startsWith(damaged.toString("utf8").trimEnd())
              : endsInError(format, text);
          expect(right).toBe(true);
        }),
        { numRuns: 150 },
      );
    }
  });
});

describe.each(translations)("a %s stream translated to %s", (from, to) => {
  it("is the same however its bytes are chunked", async () => {
    for (const { bytes } of streams.filter((stream) => stream.format === from)) {
      const whole = await translated(from, to, chunks(bytes, []));
      expect(whole.outcome.status).toBe("complete");
      for (let at = 1; at < bytes.length; at += 1) {
        const { text } = await translated(from, to, chunks(bytes, [at]));
        if (text !== whole.text) expect.fail(`changed when split at ${at}`);
      }
    }
  });

  it("ends in an error when the source ends early", async () => {
    for (const { bytes } of streams.filter((stream) => stream.format === from)) {
      const whole = await translated(from, to, chunks(bytes, []));
      for (let end = 0; end < bytes.length; end += 1) {
        const { text, outcome } = await translated(from, to, chunks(bytes.subarray(0, end), []));
        if (text === whole.text && outcome.status === "complete") continue;
        if (!endsInError(to, text) || outcome.status !== "failed") expect.fail(`no error when cut at ${end}`);
      }
    }
  });
});

describe("a reader that leaves", () => {
  it.each(["native", "translated"])(
    "cancels the source of a %s stream and is told as cancelled",
    async (kind) => {
      let cancelled = false;
      const { bytes } = streams.find((stream) => stream.format === "messages")!;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          yield bytes.subarray(0, Math.floor(bytes.length / 2));
          await new Promise(() => undefined);
        } finally {
          cancelled = true;
        }
      }
      let outcome: StreamOutcome | undefined;
      const onEnd = (end: StreamOutcome): undefined => {
        outcome = end;
      };
      const out =
        kind === "native"
          ? guardNative(endless(), dialectOf("messages"), { onEnd })
          : encodeNeutral(
              partStream(fromMessagesStream(decodeSseChunks(endless()), providerError)),
              dialectOf("messages"),
              context,
              { onEnd },
            );
      for await (const chunk of out) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(cancelled).toBe(true);
      expect(outcome?.status).toBe("cancelled");
    },
  );
});
