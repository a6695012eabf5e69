import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSse, parseSseFrame, type SseEvent } from "./sse-event.ts";
import { SseSplitter } from "./sse-splitter.ts";

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of sizes) {
    if (from >= bytes.length) return;
    yield bytes.subarray(from, from + size);
    from += size;
  }
  if (from < bytes.length) yield bytes.subarray(from);
}

async function eventsOf(bytes: Uint8Array, sizes: readonly number[]): Promise<SseEvent[]> {
  const events: SseEvent[] = [];
  for await (const event of decodeSse(inChunks(bytes, sizes))) events.push(event);
  return events;
}

const expected = [
  { event: "greeting", data: '{"text":"grüß 🙂"}' },
  { event: undefined, data: "one\ntwo" },
  { event: undefined, data: "[DONE]" },
];

function wire(newline: string): Buffer {
  const lines = [
    ": comment",
    "",
    "event: greeting",
    'data: {"text":"grüß 🙂"}',
    "id: 7",
    "",
    "data:one",
    "data: two",
    "",
    "data: [DONE]",
    "",
    "",
  ];
  return Buffer.from(lines.join(newline));
}

describe("SseSplitter", () => {
  it.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("reads the same events from %s lines however the bytes are chunked", async (_name, newline) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), async (sizes) => {
        expect(await eventsOf(wire(newline), sizes)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it("gives back every byte of mixed line ends in its frames and rest", () => {
    const alphabet = fc.constantFrom("\n", "\r", "\r\n", "data: x", "event: y", "ü");
    fc.assert(
      fc.property(fc.array(alphabet), fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const bytes = Buffer.from(parts.join(""));
        const splitter = new SseSplitter();
        const out: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += size)
          out.push(...splitter.push(bytes.subarray(at, at + size)));
        out.push(splitter.rest());
        expect(Buffer.concat(out).equals(bytes)).toBe(true);
      }),
    );
  });

  it("takes a chunk whole when it has whole frames, and only then", () => {
    const alphabet = fc.constantFrom("\n", "\n\n", "\r\n", "data: x", "event: y", "ü", "\ufeff");
    const texts = fc.array(alphabet, { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, texts, (before, text) => {
        const [splitter, other] = [new SseSplitter(), new SseSplitter()];
        for (const each of [splitter, other]) each.push(Buffer.from(before));
        const held = splitter.holdsBytes;
        const taken = splitter.takeWhole(Buffer.from(text));
        const frames = other.push(Buffer.from(text)).map(String);
        if (taken !== undefined) expect([frames, held, other.holdsBytes]).toEqual([taken, false, false]);
      }),
      {
        numRuns: 2000,
        examples: [
          ["", "data: x\n\n"],
          ["data: x\n", "\n"],
          ["", "data: x\n\nevent: y\n\n\n\ndata: x\n\n"],
          ["", "data: x\n\n\n"],
          ["\r", "\n\n"],
        ],
      },
    );
    const one = Buffer.from("data: ü\n\n");
    expect(new SseSplitter().takeWhole(one)).toEqual(["data: ü\n\n"]);
    expect(new SseSplitter().takeWhole(Uint8Array.from(one))).toEqual(["data: ü\n\n"]);
    expect(new SseSplitter().takeWhole(Buffer.concat([one, one]))).toHaveLength(2);
    expect(new SseSplitter(8).takeWhole(one)).toBeUndefined();
  });

  it("completes an event with a blank line that spans two chunks", () => {
    const splitter = new SseSplitter();
    expect(splitter.push(Buffer.from("data: a\n"))).toEqual([]);
    expect(splitter.holdsBytes).toBe(true);
    expect(splitter.push(Buffer.from("\ndata: b\n\n")).map(String)).toEqual(["data: a\n\n", "data: b\n\n"]);
    expect(splitter.holdsBytes).toBe(false);
  });

  it("refuses an event larger than the limit, in one chunk or in many", () => {
    const large = Buffer.from(`data: ${"x".repeat(100)}\n\n`);
    expect(() => new SseSplitter(50).push(large)).toThrow(/more than 50 bytes/);
    const splitter = new SseSplitter(50);
    expect(() => {
      for (const byte of large) splitter.push(Buffer.from([byte]));
    }).toThrow(/more than 50 bytes/);
  });
});

describe("decodeSse", () => {
  it("reads a last event whose blank line is missing when its data is whole", async () => {
    expect(await eventsOf(Buffer.from('data: {"a":1}\n\ndata: [DONE]'), [])).toHaveLength(2);
    expect(await eventsOf(Buffer.from('data: {"a":1}\n\ndata: {"b"'), [])).toHaveLength(1);
  });

  it("cancels its source when the reader leaves", async () => {
    let cancelled = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from("data: x\n\n");
      } finally {
        cancelled = true;
      }
    }
    for await (const event of decodeSse(endless())) {
      expect(event.data).toBe("x");
      break;
    }
    expect(cancelled).toBe(true);
  });
});

describe("parseSseFrame", () => {
  it("skips a byte order mark, comments and fields it does not know", () => {
    expect(parseSseFrame("\ufeff: hi\nretry: 10\ndata: x\n\n")).toEqual({ event: undefined, data: "x" });
    expect(parseSseFrame(": keep-alive\n\n")).toBeUndefined();
  });

  it("removes only one space after the colon", () => {
    expect(parseSseFrame("data:  x\n\n")?.data).toBe(" x");
  });
});
