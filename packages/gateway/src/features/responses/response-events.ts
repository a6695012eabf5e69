import { asText, isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import { namedEvent, parseSseFrame } from "../../formats/sse-event.ts";
import { SseSplitter } from "../../formats/sse-splitter.ts";

/** One event of a Responses stream with its own bytes. */
export interface ResponseEvent {
  readonly type: string;
  readonly body: JsonObject;
  readonly frame: string;
}

/** A Responses stream event by event; comments between them are left out. */
export async function* responseEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ResponseEvent> {
  const splitter = new SseSplitter();
  for await (const chunk of stream) {
    for (const bytes of splitter.push(chunk)) {
      const frame = bytes.toString("utf8");
      const body = parseJsonObject(parseSseFrame(frame)?.data ?? "");
      if (body !== undefined) yield { type: asText(body.type), body, frame };
    }
  }
}

/** The response that an event carries; deltas carry none. */
export function responseOf({ body }: ResponseEvent): JsonObject | undefined {
  return isJsonObject(body.response) ? body.response : undefined;
}

/** The event's wire text with another response in it. */
export function withResponse({ type, body }: ResponseEvent, response: JsonObject): string {
  return namedEvent(type, { ...body, response });
}
