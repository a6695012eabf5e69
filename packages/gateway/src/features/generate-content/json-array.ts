import type { StreamedReply } from "../../contract/exchange.ts";
import { decodeSse } from "../../formats/sse-event.ts";

/**
 * A stream of events as one JSON array, as Google streams without `alt=sse`. An error becomes the array's last element;
 * a stream that is cut leaves the array open.
 */
export function asJsonArray(reply: StreamedReply): StreamedReply {
  const headers = { ...reply.headers, "content-type": "application/json; charset=utf-8" };
  return { ...reply, headers, stream: elements(reply.stream) };
}

async function* elements(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = "[";
  for await (const { data } of decodeSse(stream)) {
    yield Buffer.from(before + data);
    before = ",\r\n";
  }
  yield Buffer.from(before === "[" ? "[]" : "]");
}
