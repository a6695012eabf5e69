import { MalformedResponse, type ResponseHead, readResponseHead } from "./h1-heads.ts";

/** Is told of an answer's parts in their order. */
export interface ResponseSink {
  onHead(head: ResponseHead): void;
  /** @param chunk the sink's own */
  onBody(chunk: Buffer): void;
  onEnd(): void;
}

/** Searched first; text is searched faster than bytes. */
const DEFAULT_HEAD_BYTES = 1024;
const MAX_HEAD_BYTES = 65_536;
const MAX_TRAILER_BYTES = 16_384;
/** Bytes of a line with a chunk's size and extensions. */
const MAX_SIZE_BYTES = 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const END_OF_HEAD = "\r\n\r\n";
const chunkSize = /^([\da-f]{1,10})[ \t]*(?:;.*)?$/i;
const MAX_SIZE_DIGITS = 10;

/** What comes next: a head, lines or data of a chunked body, or a body up to a length or to the connection's end. */
type State = "head" | "size" | "chunk" | "chunkEnd" | "trailers" | "length" | "close";

/**
 * Reads the answers of one connection, one after the other, from pieces of any size. Not to be used any more after it
 * has thrown.
 */
export class ResponseParser {
  readonly #sink: ResponseSink;
  #state: State = "head";
  /** Bytes still to come of the body or the chunk. */
  #left = 0;
  #trailerBytes = 0;
  #hasEnded = false;
  /** A head or line of which only the beginning has come. */
  #begun: Buffer | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /**
   * Takes a piece of an answer.
   * @param bytes only read during the call
   * @param length how many of them count
   * @returns how many were used; fewer than `length` where the answer ended before
   * @throws MalformedResponse
   */
  feed(bytes: Buffer, length: number): number {
    const begun = this.#begun;
    if (begun === undefined) return this.#read(bytes, length);
    this.#begun = undefined;
    const joined = Buffer.concat([begun, bytes.subarray(0, length)]);
    return this.#read(joined, joined.length) - begun.length;
  }

  /** The connection has ended. @throws MalformedResponse when the answer had not */
  finish(): void {
    if (this.#state !== "close") throw new MalformedResponse("the connection ended before the answer did");
    this.#state = "head";
    this.#sink.onEnd();
  }

  #read(bytes: Buffer, length: number): number {
    for (let at = 0; at < length; ) {
      const next = this.#step(bytes, at, length);
      if (next === -1) {
        this.#begun = Buffer.from(bytes.subarray(at, length));
        return length;
      }
      at = next;
      if (this.#hasEnded) {
        this.#hasEnded = false;
        return at;
      }
    }
    return length;
  }

  /** @returns where the next step begins; -1 where more has to come first */
  #step(bytes: Buffer, at: number, length: number): number {
    switch (this.#state) {
      case "head":
        return this.#head(bytes, at, length);
      case "length":
      case "chunk":
      case "close":
        return this.#data(bytes, at, length);
      default:
        return this.#line(bytes, at, length);
    }
  }

  #head(bytes: Buffer, at: number, length: number): number {
    let text = bytes.toString("latin1", at, Math.min(length, at + DEFAULT_HEAD_BYTES));
    if (length - at > DEFAULT_HEAD_BYTES && !text.includes(END_OF_HEAD))
      text = bytes.toString("latin1", at, length);
    const end = text.indexOf(END_OF_HEAD);
    if (end === -1) {
      if (text.length > MAX_HEAD_BYTES) throw new MalformedResponse("the head is too long");
      return -1;
    }
    const head = readResponseHead(text.slice(0, end));
    if (head.status === 101) throw new MalformedResponse("another protocol, which nobody asked for");
    // Interim answers, such as 103, come before the answer itself.
    if (head.status >= 200) this.#begin(head);
    return at + end + END_OF_HEAD.length;
  }

  #begin(head: ResponseHead): void {
    const { framing } = head;
    this.#sink.onHead(head);
    if (framing === 0) this.#end();
    else if (framing === "chunked") this.#state = "size";
    else if (framing === "close") this.#state = "close";
    else {
      this.#state = "length";
      this.#left = framing;
    }
  }

  #data(bytes: Buffer, at: number, length: number): number {
    const end = this.#state === "close" ? length : Math.min(length, at + this.#left);
    const chunk = Buffer.allocUnsafe(end - at);
    bytes.copy(chunk, 0, at, end);
    this.#sink.onBody(chunk);
    if (this.#state === "close") return end;
    this.#left -= end - at;
    if (this.#left > 0) return end;
    if (this.#state === "length") this.#end();
    else this.#state = "chunkEnd";
    return end;
  }

  #line(bytes: Buffer, at: number, length: number): number {
    const next = this.#plainLine(bytes, at, length);
    if (next !== -1) return next;
    const end = bytes.indexOf(LINE_FEED, at);
    if (end === -1 || end >= length) {
      if (length - at > this.#mostLineBytes()) throw new MalformedResponse("a line is too long");
      return -1;
    }
    if (end === at || bytes[end - 1] !== CARRIAGE_RETURN) throw new MalformedResponse("a line without CR");
    this.#takeLine(bytes.toString("latin1", at, end - 1));
    return end + 1;
  }

  /**
   * Takes the lines around nearly every chunk without making text of them: its size alone, and the empty one behind it.
   * @returns where the next line begins; -1 for any other line
   */
  #plainLine(bytes: Buffer, at: number, length: number): number {
    let end = at;
    let size = 0;
    if (this.#state === "size") {
      for (; end < length; end += 1) {
        const digit = hexDigit(bytes[end]!);
        if (digit === -1) break;
        size = size * 16 + digit;
      }
      if (end === at || end - at > MAX_SIZE_DIGITS) return -1;
    } else if (this.#state !== "chunkEnd") return -1;
    if (end + 1 >= length || bytes[end] !== CARRIAGE_RETURN || bytes[end + 1] !== LINE_FEED) return -1;
    if (this.#state === "size") this.#takeSize(size);
    else this.#state = "size";
    return end + 2;
  }

  #mostLineBytes(): number {
    return this.#state === "trailers" ? MAX_TRAILER_BYTES : MAX_SIZE_BYTES;
  }

  #takeLine(text: string): void {
    if (this.#state === "size") {
      const size = chunkSize.exec(text);
      if (size === null) throw new MalformedResponse("a chunk without a size");
      this.#takeSize(Number.parseInt(size[1]!, 16));
    } else if (this.#state === "chunkEnd") {
      if (text !== "") throw new MalformedResponse("a chunk longer than its size");
      this.#state = "size";
    } else if (text === "") this.#end();
    else {
      this.#trailerBytes += text.length + 2;
      if (this.#trailerBytes > MAX_TRAILER_BYTES) throw new MalformedResponse("the trailers are too long");
    }
  }

  #takeSize(size: number): void {
    this.#left = size;
    this.#state = size === 0 ? "trailers" : "chunk";
    this.#trailerBytes = 0;
  }

  #end(): void {
    this.#state = "head";
    this.#hasEnded = true;
    this.#sink.onEnd();
  }
}

/** -1 for any other byte. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const small = byte | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}
