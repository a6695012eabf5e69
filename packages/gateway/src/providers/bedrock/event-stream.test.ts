import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEventStream, type EventMessage } from "./event-stream.ts";

/** A message with text headers and, before them, one of every other type. */
function frame(name: string, payload: unknown, kind = "event"): Buffer {
  const others = Buffer.concat([
    Buffer.from([1, 0x61, 0]),
    Buffer.from([1, 0x62, 2, 9]),
    Buffer.from([1, 0x63, 4, 0, 0, 0, 1]),
    Buffer.from([1, 0x64, 6, 0, 2, 1, 2]),
    Buffer.from([1, 0x65, 8, 0, 0, 0, 0, 0, 0, 0, 1]),
  ]);
  const texts = Object.entries({ ":message-type": kind, [`:${kind}-type`]: name }).map(([key, value]) =>
    Buffer.concat([
      Buffer.from([key.length]),
      Buffer.from(key),
      Buffer.from([7, 0, value.length]),
      Buffer.from(value),
    ]),
  );
  const headers = Buffer.concat([others, ...texts]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + body.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, checksum]);
}

async function decode(...chunks: Uint8Array[]): Promise<EventMessage[]> {
  const messages: EventMessage[] = [];
  async function* source() {
    yield* chunks;
  }
  for await (const message of decodeEventStream(source())) messages.push(message);
  return messages;
}

const bytes = Buffer.concat([
  frame("contentBlockDelta", { delta: { text: "é" } }),
  frame("messageStop", { stopReason: "end_turn" }),
  frame("throttlingException", { message: "slow down" }, "exception"),
]);
const expected = [
  { kind: "event", name: "contentBlockDelta", payload: { delta: { text: "é" } } },
  { kind: "event", name: "messageStop", payload: { stopReason: "end_turn" } },
  { kind: "exception", name: "throttlingException", payload: { message: "slow down" } },
];

describe("decodeEventStream", () => {
  it("reads the same messages however the bytes are cut", async () => {
    expect(await decode(bytes)).toEqual(expected);
    expect(await decode(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
    for (let at = 1; at < bytes.length; at += 1)
      expect(await decode(bytes.subarray(0, at), bytes.subarray(at))).toEqual(expected);
  });

  it("rejects a stream that ends within a message, and one of which a byte is another", async () => {
    const ends = [0, 1, 2].map((index) => {
      let end = 0;
      for (let message = 0; message <= index; message += 1) end += bytes.readUInt32BE(end);
      return end;
    });
    for (let end = 1; end < bytes.length; end += 1) {
      if (!ends.includes(end)) await expect(decode(bytes.subarray(0, end))).rejects.toThrow("not valid");
    }
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at]! ^= change;
        await expect(decode(changed)).rejects.toThrow("not valid");
      }),
    );
  });

  it("rejects what is no such stream at all", async () => {
    await expect(decode(Buffer.from("<html><body>upstream connect error</body></html>"))).rejects.toThrow(
      "not valid",
    );
    await expect(decode(Buffer.from('data: {"a": 1}\n\n'))).rejects.toThrow("not valid");
  });
});
