import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { AlikeEvents, ConvertedStream, dataEvent, namedEvent } from "./sse-event.ts";

/** What stands for texts and numbers while the rest is serialised, as somebody may write it who wants to disturb that. */
const MARKS = ["\u{e000}text\u{e000}", "5304989477173", 'a"\u{e000}text\u{e000}"b'];

const someText = fc.oneof(anyText, fc.constantFrom(...MARKS));

describe("AlikeEvents", () => {
  it("are what each of them is alone, with the speed path and without", () => {
    fc.assert(
      fc.property(
        someText,
        fc.oneof(fc.nat(), fc.constant(5_304_989_477_173)),
        fc.array(fc.tuple(someText, fc.nat()), { maxLength: 5 }),
        fc.constantFrom("event", undefined),
        fc.boolean(),
        (model, index, deltas, name, isNumbered) => {
          const data = (text: string, sequence_number: number) => ({
            ...(isNumbered ? { sequence_number } : {}),
            ...{ model, list: [{ index, delta: { text, logprobs: [] } }] },
          });
          for (const isSpeedPath of [true, false]) {
            const own = data("", 0);
            const alike = new AlikeEvents(name, own, own.list[0]!.delta, "text", isSpeedPath);
            for (const [text, number] of deltas) {
              const written = data(text, number);
              const checked = vi.fn((...told: unknown[]) => expect(told).toEqual([name, written]));
              const event = name === undefined ? dataEvent(written) : namedEvent(name, written);
              expect(alike.next(text, checked, isNumbered ? number : undefined)).toBe(event);
              expect(checked).toHaveBeenCalledOnce();
            }
          }
        },
      ),
    );
  });

  it("are serialised once", () => {
    let written = 0;
    const toJSON = (): string => {
      written += 1;
      return "x";
    };
    const data = { sequence_number: 0, delta: "", rest: { toJSON } };
    const alike = new AlikeEvents("delta", data, data, "delta", true);
    for (const [at, text] of ["a", 'b"\n', ""].entries())
      expect(alike.next(text, () => {}, at)).toBe(
        namedEvent("delta", { sequence_number: at, delta: text, rest: "x" }),
      );
    expect(written).toBe(1);
  });
});

/** A stream of chunks, and whether its reader has left it before its end. */
function watched(chunks: readonly string[]): { stream: AsyncIterable<Uint8Array>; wasLeft: () => boolean } {
  let wasLeft = false;
  async function* stream(): AsyncGenerator<Uint8Array> {
    let isOver = false;
    try {
      for (const chunk of chunks) yield Buffer.from(chunk);
      isOver = true;
    } finally {
      wasLeft = !isOver;
    }
  }
  return { stream: stream(), wasLeft: () => wasLeft };
}

const read = async (stream: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const text of stream) all.push(text);
  return all;
};

describe("ConvertedStream", () => {
  it("passes over chunks of which nothing becomes, and ends with its source", async () => {
    const { stream, wasLeft } = watched(["a", "", "b", ""]);
    const texts = new ConvertedStream(stream, (chunk) => Buffer.from(chunk).toString() || undefined);
    expect(await read(texts)).toEqual(["a", "b"]);
    expect(wasLeft()).toBe(false);
  });

  it("leaves its source with its reader", async () => {
    const { stream, wasLeft } = watched(["a", "b"]);
    for await (const text of new ConvertedStream(stream, String)) if (text !== "") break;
    expect(wasLeft()).toBe(true);
  });

  it("leaves its source where a chunk cannot be converted", async () => {
    const { stream, wasLeft } = watched(["a", "b"]);
    const broken = new ConvertedStream(stream, (): string => {
      throw new Error("too long");
    });
    await expect(read(broken)).rejects.toThrow("too long");
    expect(wasLeft()).toBe(true);
  });

  it("fails with its source", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("a");
      throw new Error("cut");
    }
    await expect(read(new ConvertedStream(broken(), String))).rejects.toThrow("cut");
  });
});
