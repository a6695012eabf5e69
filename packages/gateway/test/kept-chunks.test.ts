import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type CallerResponse, writeStreamed } from "../src/core/http/http-exchange.ts";
import { responseEvents, withResponses } from "../src/features/responses/record/response-events.ts";
import { guardNative } from "../src/formats/guarded-stream.ts";
import { dialectOf } from "../src/formats/registry.ts";
import { decodeSse } from "../src/formats/sse-event.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const CHUNK = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "well" } }] })}\n\n`;

/** Says one thing and then nothing. */
class Quiet implements AsyncIterableIterator<Uint8Array> {
  said: WeakRef<ArrayBufferLike> | undefined;
  /** Keeps whoever waits, as a connection does. */
  goOn: ((read: IteratorResult<Uint8Array>) => void) | undefined;

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.said !== undefined)
      return new Promise((resolve) => {
        this.goOn = resolve;
      });
    // Memory of its own: what others have of Node's pool lives longer.
    const chunk = Buffer.allocUnsafeSlow(CHUNK.length);
    chunk.write(CHUNK);
    this.said = new WeakRef(chunk.buffer);
    return Promise.resolve({ done: false, value: chunk });
  }
}

/** Takes what there is and waits for more. */
function waitFor(stream: AsyncIterable<unknown>): Promise<unknown> {
  const reader = stream[Symbol.asyncIterator]();
  return reader.next().then(() => void reader.next());
}

const response = {
  destroyed: false,
  socket: null,
  writeHead: () => undefined,
  flushHeaders: () => undefined,
  write: () => true,
} as unknown as CallerResponse;

/** A stream may stand for minutes, and a chunk keeps the 64 KiB that it was cut from. */
describe("the last chunk of a stream that says nothing is kept by none of", () => {
  const readers: Record<string, (source: Quiet) => unknown> = {
    "the guard of a provider's own format": (source) => waitFor(guardNative(source, dialectOf("chat"))),
    "the reader of events": (source) => waitFor(decodeSse(source)),
    "the reader of Responses events": (source) => waitFor(responseEvents(source)),
    "the writer of other response ids": (source) => waitFor(withResponses(source, ({ frame }) => frame)),
    "the writer of answers": (stream) => writeStreamed(response, { status: 200, headers: {}, stream }, []),
  };
  for (const [name, read] of Object.entries(readers))
    it(name, async () => {
      const source = new Quiet();
      read(source);
      for (let turns = 0; turns < 10; turns += 1) await turn();
      collect();
      expect(source.goOn).toBeDefined();
      expect(source.said!.deref()).toBeUndefined();
    });
});
