import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatDialect } from "./chat/chat-dialect.ts";
import { guardNative } from "./guarded-stream.ts";
import type { StreamOutcome } from "./stream-outcome.ts";

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const chunk = (choices: unknown[], more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices, ...more })}`;
const frames = {
  content: chunk([{ index: 0, delta: { content: 'usage" über' } }], { usage: null }),
  end: chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
  usage: chunk([], { usage }),
  spacedUsage: `data: { "choices" : [ ], "usage" : ${JSON.stringify(usage)} }`,
  done: "data: [DONE]",
  comment: ": ping",
  otherId: chunk([{ index: 0, delta: { content: "x" } }]).replace('"c"', '"d"'),
  error: 'data: {"error":{"message":"no"}}',
  invalid: "data: {",
};

/** What comes out of the guard, and how it ended. */
async function guarded(
  bytes: Buffer,
  sizes: readonly number[],
): Promise<{ text: string; outcome: Pick<StreamOutcome, "status" | "usage" | "failedAt"> }> {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  async function* source(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  let ended: StreamOutcome | undefined;
  const onEnd = (outcome: StreamOutcome): undefined => {
    ended = outcome;
  };
  const out: Uint8Array[] = [];
  for await (const passed of guardNative(source(), chatDialect, { hidesUsage: true, onEnd }))
    out.push(passed);
  const { status, failedAt, usage: counted } = ended!;
  return { text: Buffer.concat(out).toString("latin1"), outcome: { status, usage: counted, failedAt } };
}

describe("guardNative", () => {
  it("lets the same through however the stream is cut into chunks", async () => {
    const names = Object.keys(frames) as (keyof typeof frames)[];
    const lists = fc.array(fc.constantFrom(...names), { maxLength: 8 });
    const whole = fc.constant<(keyof typeof frames)[]>(["content", "end", "usage", "done"]);
    const lineEnds = fc.constantFrom("\n", "\n", "\r\n");
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(lists, fc.oneof(whole, lists)),
        lineEnds,
        sizes,
        async (parts, lineEnd, cuts) => {
          const text = parts.flat().map((name) => frames[name] + lineEnd + lineEnd);
          const bytes = Buffer.from(text.join(""));
          // Behind a carriage return that ends a chunk the guard's own event begins with a line feed.
          const read = async (cut: readonly number[]) => {
            const { text: out, outcome } = await guarded(bytes, cut);
            return { text: lineEnd === "\n" ? out : out.split(/[\r\n]+/).filter(Boolean), outcome };
          };
          const plainly = await read([1]);
          const ofFrames = text.length > 0 ? text.map((each) => Buffer.byteLength(each)) : [1];
          for (const cut of [[bytes.length + 1], ofFrames, cuts]) expect(await read(cut)).toEqual(plainly);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("passes bytes on that are no UTF-8, and hides the chunk with the usage among them", async () => {
    const [before, hidden, after] = [frames.content, frames.usage, frames.end].map((frame) =>
      Buffer.concat([Buffer.from(frame.slice(0, -1)), Buffer.from(', "x": "\xff\xfe"}\n\n', "latin1")]),
    ) as [Buffer, Buffer, Buffer];
    const done = Buffer.from(`${frames.done}\n\n`);
    const bytes = Buffer.concat([before, hidden, after, done]);
    const { text, outcome } = await guarded(bytes, [bytes.length]);
    expect(text).toBe(Buffer.concat([before, after, done]).toString("latin1"));
    expect(outcome).toMatchObject({ status: "complete", usage: { input: 5, output: 2 } });
  });
});
