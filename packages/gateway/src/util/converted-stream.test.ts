import { describe, expect, it } from "vitest";
import { ConvertedStream } from "./converted-stream.ts";

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
