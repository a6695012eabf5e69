import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type CollectGarbage = (options: { readonly type: "minor" }) => void;

/** Bytes after which the buffers of long transfers are given back. */
const EVERY = 8 * 1024 * 1024;

let passed = 0;
let collect: CollectGarbage | undefined;

/**
 * Counts bytes of transfers that are passed on chunk by chunk. V8 frees the buffers behind such chunks only when some
 * 64 MB of them have piled up; a minor collection now and then, a millisecond for every few megabytes, keeps a
 * gateway that moves videos at its ordinary size. Measured with `npm run video-memory -w portico`.
 */
export function countTransferred(bytes: number): void {
  passed += bytes;
  if (passed < EVERY) return;
  passed = 0;
  collect ??= garbageCollector();
  collect({ type: "minor" });
}

/** A stream whose bytes are counted. */
export async function* countedStream(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    countTransferred(chunk.length);
    yield chunk;
  }
}

/** V8's `gc`, which is there without a command line flag only when it is asked for in a context of its own. */
function garbageCollector(): CollectGarbage {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as CollectGarbage;
}
