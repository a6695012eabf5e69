import { asText, isJsonObject, type JsonObject, parseJsonObject } from "../../../contract/json.ts";
import { ConvertedStream, namedEvent, parseSseFrame } from "../../../formats/sse-event.ts";
import { SseSplitter } from "../../../formats/sse-splitter.ts";

/** One event of a Responses stream with its own bytes. */
export interface ResponseEvent {
  readonly type: string;
  readonly body: JsonObject;
  readonly frame: string;
}

/** A Responses stream event by event; comments between them are left out. */
export async function* responseEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ResponseEvent> {
  const splitter = new SseSplitter();
  const eventsOf = (chunk: Uint8Array): ResponseEvent[] =>
    splitter
      .push(chunk)
      .map(responseEvent)
      .filter((event) => event !== undefined);
  for await (const events of new ConvertedStream(stream, eventsOf)) yield* events;
}

function responseEvent(bytes: Buffer): ResponseEvent | undefined {
  const frame = bytes.toString("utf8");
  const body = parseJsonObject(parseSseFrame(frame)?.data ?? "");
  return body && { type: asText(body.type), body, frame };
}

const RESPONSE_NAME = Buffer.from('"response"');
const ESCAPE = Buffer.from("\\u");
const BLANK_LINE = Buffer.from("\n\n");

/**
 * A Responses stream with other texts in place of the events that carry a response. Whatever else a chunk holds passes as it came,
 * and what came in one piece goes out in one.
 * @param change the text of an event with its response in it
 */
export function withResponses(
  stream: AsyncIterable<Uint8Array>,
  change: (event: ResponseEvent, response: JsonObject) => string,
): AsyncIterableIterator<Uint8Array> {
  const splitter = new SseSplitter();
  const textOf = (frame: Buffer): string | undefined => {
    const event = responseEvent(frame);
    const response = event && responseOf(event);
    return response && change(event!, response);
  };
  return new ConvertedStream(stream, (chunk) => {
    const whole = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (splitter.isDoneWith(chunk)) return replaced(whole, (place) => frameAround(whole, place), textOf);
    const isHeld = splitter.holdsBytes;
    const frames = splitter.push(chunk);
    const bytes = isHeld || splitter.holdsBytes ? Buffer.concat(frames) : whole;
    return bytes.length > 0 ? replaced(bytes, frameAmong(frames), textOf) : undefined;
  });
}

/** Where a frame begins and ends within bytes. */
type FrameSpan = readonly [start: number, end: number];

/**
 * @param frameAt the frame in which a place is; places come in their order
 * @param textOf what takes the place of a frame, if anything does
 */
function replaced(
  bytes: Buffer,
  frameAt: (place: number) => FrameSpan,
  textOf: (frame: Buffer) => string | undefined,
): Buffer {
  const pieces: Buffer[] = [];
  let kept = 0;
  for (let place = placeOfResponse(bytes, 0); place < bytes.length; ) {
    const [start, end] = frameAt(place);
    const text = textOf(bytes.subarray(start, end));
    if (text !== undefined) {
      pieces.push(bytes.subarray(kept, start), Buffer.from(text));
      kept = end;
    }
    place = placeOfResponse(bytes, end);
  }
  return kept === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(kept)]);
}

/** The frame around a place in bytes that consist of whole frames with line feeds alone. */
function frameAround(bytes: Buffer, place: number): FrameSpan {
  const before = bytes.lastIndexOf(BLANK_LINE, place);
  return [
    before === -1 ? 0 : before + BLANK_LINE.length,
    bytes.indexOf(BLANK_LINE, place) + BLANK_LINE.length,
  ];
}

/** The frame around a place in bytes that consist of these. */
function frameAmong(frames: readonly Buffer[]): (place: number) => FrameSpan {
  let at = 0;
  let start = 0;
  return (place) => {
    for (; start + frames[at]!.length <= place; at += 1) start += frames[at]!.length;
    return [start, start + frames[at]!.length];
  };
}

/**
 * Where a response may stand, from there on; behind all bytes where none does. In texts quotes are escaped, so that the name stands nowhere but before a value,
 * unless it is written with escapes itself.
 */
function placeOfResponse(bytes: Buffer, from: number): number {
  const places = [bytes.indexOf(RESPONSE_NAME, from), bytes.indexOf(ESCAPE, from)];
  return Math.min(...places.map((place) => (place === -1 ? Number.POSITIVE_INFINITY : place)));
}

/** The response that an event carries; deltas carry none. */
export function responseOf({ body }: ResponseEvent): JsonObject | undefined {
  return isJsonObject(body.response) ? body.response : undefined;
}

/** The event's wire text with another response in it. */
export function withResponse({ type, body }: ResponseEvent, response: JsonObject): string {
  return namedEvent(type, { ...body, response });
}
