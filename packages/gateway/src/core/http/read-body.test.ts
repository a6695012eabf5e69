import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { CallerRequest } from "./http-exchange.ts";
import { readBody } from "./read-body.ts";

const read = (chunks: readonly Buffer[]): Promise<Buffer> => {
  const request = Object.assign(Readable.from(chunks, { objectMode: false }), { headers: {} });
  return readBody(request as unknown as CallerRequest, 1000, 60_000);
};
const ofItsOwn = (text: string): Buffer => Buffer.alloc(text.length, text);

describe("readBody", () => {
  it("joins chunks and gives back the memory of those that share it with nobody", async () => {
    const shared = ofItsOwn("..cd..");
    const [first, last] = [ofItsOwn("ab"), ofItsOwn("ef")];
    expect((await read([first, shared.subarray(2, 4), last])).toString()).toBe("abcdef");
    expect([first, last].map(({ byteLength }) => byteLength)).toEqual([0, 0]);
    expect(shared.toString()).toBe("..cd..");
  });

  it("leaves the memory of a body that came in one piece", async () => {
    const only = ofItsOwn("abcdef");
    const body = await read([only]);
    expect(body.toString()).toBe("abcdef");
    expect(only.toString()).toBe("abcdef");
  });

  it("takes a chunk that comes twice", async () => {
    const twice = ofItsOwn("ab");
    expect((await read([twice, twice])).toString()).toBe("abab");
  });
});
