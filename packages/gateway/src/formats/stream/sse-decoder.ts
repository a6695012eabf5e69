import { parseSseFrame, type SseEvent } from "./sse-event.ts";
import { SseSplitter } from "./sse-splitter.ts";

/**
 * Server-sent events out of bytes, one at a time as the reader asks for them; an event that is cut by the end of
 * the stream is dropped, as the standard asks. Leaving the loop cancels the source.
 * @throws GatewayError 502 when an event grows past `maxEventBytes`
 */
export async function* decodeSse(
  source: AsyncIterable<Uint8Array>,
  maxEventBytes?: number,
): AsyncGenerator<SseEvent> {
  const splitter = new SseSplitter(maxEventBytes);
  for await (const chunk of source) {
    for (const frame of splitter.push(chunk)) {
      const event = parseSseFrame(frame.toString("utf8"));
      if (event !== undefined) yield event;
    }
  }
  // Some hosts forget the blank line after the last event.
  const last = parseSseFrame(splitter.rest().toString("utf8"));
  if (last !== undefined && isWhole(last.data)) yield last;
}

/** Whether data that no blank line follows is nevertheless whole: the end mark, or JSON that parses. */
export function isWhole(data: string): boolean {
  if (data === "[DONE]") return true;
  try {
    return typeof JSON.parse(data) === "object";
  } catch {
    return false;
  }
}
