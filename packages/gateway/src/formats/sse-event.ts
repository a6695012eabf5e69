import type { EventCheck } from "../contract/dialect.ts";
import { type JsonObject, parseJson } from "../contract/json.ts";
import { usesSpeedPaths } from "../util/speed-paths.ts";
import { SseSplitter } from "./sse-splitter.ts";

/** One server-sent event as its reader sees it. */
export interface SseEvent {
  /** The `event:` field; absent means `message`. */
  readonly event: string | undefined;
  /** The `data:` lines, joined by line feeds. */
  readonly data: string;
}

const lineEnd = /\r\n|\r|\n/;

/**
 * Reads one frame (the lines up to a blank line) as the WHATWG HTML standard, section 9.2.6, does.
 * A frame without data, such as a comment that keeps the connection alive, is no event: `undefined`.
 */
export function parseSseFrame(frame: string): SseEvent | undefined {
  const plain = readPlainFrame(frame);
  if (plain !== undefined) return plain;
  const text = frame.charCodeAt(0) === 0xfeff ? frame.slice(1) : frame;
  const lines = text.includes("\r") ? text.split(lineEnd) : text.split("\n");
  let event: string | undefined;
  let data: string | undefined;
  for (const line of lines) {
    if (line.startsWith("data:")) {
      const value = fieldValue(line, 5);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (line.startsWith("event:")) {
      event = fieldValue(line, 6);
    } else if (line === "data") {
      data = data === undefined ? "" : `${data}\n`;
    }
  }
  return data === undefined ? undefined : { event, data };
}

/** Frames as most are, a line of data with or without a name before it; no lines need to be cut out of them. */
function readPlainFrame(frame: string): SseEvent | undefined {
  const end = frame.length - 2;
  const first = frame.indexOf("\n");
  if (frame.slice(end) !== "\n\n" || frame.includes("\r")) return undefined;
  if (first === end)
    return isData(frame, 0) ? { event: undefined, data: fieldValue(frame, 5, end) } : undefined;
  const isNamed = frame.slice(0, 6) === "event:" && isData(frame, first + 1);
  if (!isNamed || frame.indexOf("\n", first + 1) !== end) return undefined;
  return { event: fieldValue(frame, 6, first), data: fieldValue(frame, first + 6, end) };
}

function isData(frame: string, at: number): boolean {
  return frame.slice(at, at + 5) === "data:";
}

function fieldValue(line: string, from: number, to?: number): string {
  return line.slice(line.charCodeAt(from) === 32 ? from + 1 : from, to);
}

/** One event as wire text with the name in its own line, as Anthropic's and OpenAI's Responses streams have it. */
export function namedEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** One event as wire text without a name, as chat completions have it. */
export function dataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** What stands for the text and the number while what is around them is serialised. */
const TEXT = "\u{e000}text\u{e000}";
const NUMBER = 5_304_989_477_173;
const PLACES = new RegExp(`${JSON.stringify(TEXT)}|${NUMBER}`);

/** Events that are alike but for a text, and for their number where they have one: what stands around these is serialised once. */
export class AlikeEvents {
  readonly #name: string | undefined;
  readonly #data: JsonObject;
  readonly #place: JsonObject;
  readonly #member: string;
  readonly #isSpeedPath: boolean;
  #pieces: readonly string[] | undefined;

  /**
   * @param name of events that have one
   * @param data of one of them, which becomes that of each in turn; where it has a `sequence_number`, that stands before the text
   * @param place the object within the data that has the text
   * @param member the text's name there
   */
  constructor(
    name: string | undefined,
    data: JsonObject,
    place: JsonObject,
    member: string,
    isSpeedPath = usesSpeedPaths,
  ) {
    this.#name = name;
    this.#data = data;
    this.#place = place;
    this.#member = member;
    this.#isSpeedPath = isSpeedPath;
  }

  /** @param check told of the event before its text is written */
  next(text: string, check: EventCheck, sequenceNumber?: number): string {
    this.#pieces ??= this.#around(sequenceNumber !== undefined);
    this.#fill(text, sequenceNumber);
    check(this.#name, this.#data);
    if (this.#pieces.length === 0) return this.#write();
    const [first, second, third] = this.#pieces;
    const written = JSON.stringify(text);
    return sequenceNumber === undefined
      ? first + written + second
      : first + String(sequenceNumber) + second + written + third;
  }

  #around(isNumbered: boolean): readonly string[] {
    if (!this.#isSpeedPath) return [];
    this.#fill(TEXT, isNumbered ? NUMBER : undefined);
    const pieces = this.#write().split(PLACES);
    // With more pieces something that a caller chose, such as a name, looks like one of the places.
    return pieces.length === (isNumbered ? 3 : 2) ? pieces : [];
  }

  #fill(text: string, sequenceNumber: number | undefined): void {
    this.#place[this.#member] = text;
    if (sequenceNumber !== undefined) this.#data.sequence_number = sequenceNumber;
  }

  #write(): string {
    return this.#name === undefined ? dataEvent(this.#data) : namedEvent(this.#name, this.#data);
  }
}

/**
 * Server-sent events out of bytes, one at a time as the reader asks for them; an event that is cut by the end of
 * the stream is dropped, as the standard asks. Leaving the loop cancels the source.
 * @throws GatewayError 502 when an event grows past `maxEventBytes`
 */
export async function* decodeSse(
  source: AsyncIterable<Uint8Array>,
  maxEventBytes?: number,
): AsyncGenerator<SseEvent> {
  for await (const events of decodeSseChunks(source, maxEventBytes)) for (const event of events) yield event;
}

/** The same, with all events together that a chunk completes. */
export async function* decodeSseChunks(
  source: AsyncIterable<Uint8Array>,
  maxEventBytes?: number,
): AsyncGenerator<readonly SseEvent[]> {
  const splitter = new SseSplitter(maxEventBytes);
  const eventsOf = (chunk: Uint8Array): readonly SseEvent[] | undefined => {
    const events: SseEvent[] = [];
    const frames = splitter.takeWhole(chunk) ?? splitter.push(chunk);
    for (const frame of frames) {
      const event = parseSseFrame(typeof frame === "string" ? frame : frame.toString("utf8"));
      if (event !== undefined) events.push(event);
    }
    return events.length > 0 ? events : undefined;
  };
  yield* new ConvertedStream(source, eventsOf);
  // Some hosts forget the blank line after the last event.
  const last = parseSseFrame(splitter.rest().toString("utf8"));
  if (last !== undefined && isWhole(last.data)) yield [last];
}

/** Whether data that no blank line follows is nevertheless whole: the end mark, or JSON that parses. */
export function isWhole(data: string): boolean {
  return data === "[DONE]" || typeof parseJson(data) === "object";
}

/**
 * What becomes of each chunk of a stream; a chunk of which nothing becomes is passed over. A generator that loops over the chunks
 * would keep the last one while it waits for the next, and with it the 64 KiB of memory that Node cuts chunks from; this does not.
 */
export class ConvertedStream<T> implements AsyncIterableIterator<T> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #convert: (chunk: Uint8Array) => T | undefined;

  /** @param convert where it throws, the source is left and the reader gets what it threw */
  constructor(source: AsyncIterable<Uint8Array>, convert: (chunk: Uint8Array) => T | undefined) {
    this.#source = source[Symbol.asyncIterator]();
    this.#convert = convert;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this;
  }

  async next(): Promise<IteratorResult<T>> {
    for (;;) {
      const read = await this.#source.next();
      if (read.done === true) return { done: true, value: undefined };
      let value: T | undefined;
      try {
        value = this.#convert(read.value);
      } catch (error) {
        await this.#source.return?.();
        throw error;
      }
      if (value !== undefined) return { done: false, value };
    }
  }

  async return(): Promise<IteratorResult<T>> {
    await this.#source.return?.();
    return { done: true, value: undefined };
  }
}
