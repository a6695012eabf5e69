import { GatewayError } from "../contract/errors.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const blankLine = Buffer.from("\n\n");

/** Bytes that one event may have; a picture in base64 fits. */
const DEFAULT_MAX_EVENT_BYTES = 16 * 1024 * 1024;

/**
 * Cuts a byte stream into frames at blank lines, whatever the chunks and line ends (LF, CRLF, CR).
 * The frames joined together are the input: nothing is added, dropped or changed.
 */
export class SseSplitter {
  readonly #maxEventBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #lineEmpty = true;
  #afterCarriageReturn = false;

  constructor(maxEventBytes: number = DEFAULT_MAX_EVENT_BYTES) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** Whether bytes of an unfinished event wait for the rest of it. */
  get holdsBytes(): boolean {
    return this.#heldBytes > 0;
  }

  /**
   * Whether a chunk is whole frames and nothing else, as most are, in lines that end with LF. It then needs no push: this is
   * done with it, and each frame of it ends where its lines are followed by a blank one.
   */
  isDoneWith(chunk: Uint8Array): boolean {
    const { length } = chunk;
    const isClosed = length > 2 && chunk[length - 1] === LINE_FEED && chunk[length - 2] === LINE_FEED;
    const isAlone = !this.holdsBytes && !this.#afterCarriageReturn && chunk[0] !== LINE_FEED;
    if (!isClosed || !isAlone || length > this.#maxEventBytes) return false;
    // A buffer's own search is several times as fast as that of other arrays.
    return asBuffer(chunk).indexOf(CARRIAGE_RETURN) < 0;
  }

  /**
   * The texts of a chunk's frames where it has whole ones and nothing else: it is then done with. Nothing for any other chunk;
   * it is still to be pushed.
   */
  takeWhole(chunk: Uint8Array): string[] | undefined {
    if (!this.isDoneWith(chunk)) return undefined;
    const text = asBuffer(chunk).toString("utf8");
    const frames: string[] = [];
    let from = 0;
    for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n", from)) {
      frames.push(text.slice(from, at + 2));
      from = at + 2;
    }
    return from === text.length ? frames : undefined;
  }

  /**
   * The frames that this chunk completes, as views of it where they lie in it.
   * @throws GatewayError 502 when an event grows past the limit
   */
  push(chunk: Uint8Array): Buffer[] {
    const bytes = asBuffer(chunk);
    const frames: Buffer[] = [];
    const plain = !this.#afterCarriageReturn && bytes.indexOf(CARRIAGE_RETURN) < 0;
    const ends = plain ? this.#plainEnds(bytes) : this.#mixedEnds(bytes);
    let from = 0;
    for (const end of ends) {
      frames.push(this.#complete(bytes.subarray(from, end)));
      from = end;
    }
    if (from < bytes.length) this.#hold(bytes.subarray(from));
    return frames;
  }

  /** What is left at the end of the stream: an event that was cut, or nothing. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#held, this.#heldBytes);
    this.#held = [];
    this.#heldBytes = 0;
    return rest;
  }

  // Line feeds only: the engine's own search finds the blank lines.
  #plainEnds(bytes: Buffer): number[] {
    const ends: number[] = [];
    let from = 0;
    if (this.#lineEmpty && bytes[0] === LINE_FEED) {
      ends.push(1);
      from = 1;
    }
    for (let at = bytes.indexOf(blankLine, from); at >= 0; at = bytes.indexOf(blankLine, from)) {
      from = at + 2;
      ends.push(from);
    }
    if (bytes.length > 0) this.#lineEmpty = bytes[bytes.length - 1] === LINE_FEED;
    return ends;
  }

  // A carriage return ends its line at once, as the standard asks; a line feed after it belongs to that end.
  #mixedEnds(bytes: Buffer): number[] {
    const ends: number[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === LINE_FEED && this.#afterCarriageReturn) {
        this.#afterCarriageReturn = false;
        if (ends[ends.length - 1] === at) ends[ends.length - 1] = at + 1;
        continue;
      }
      this.#afterCarriageReturn = byte === CARRIAGE_RETURN;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        this.#lineEmpty = false;
      } else {
        if (this.#lineEmpty) ends.push(at + 1);
        this.#lineEmpty = true;
      }
    }
    return ends;
  }

  #hold(bytes: Buffer): void {
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > this.#maxEventBytes) {
      throw new GatewayError(
        502,
        "api_error",
        `The provider sent an event of more than ${this.#maxEventBytes} bytes`,
      );
    }
    this.#held.push(bytes);
  }

  #complete(last: Buffer): Buffer {
    if (this.#heldBytes === 0) {
      if (last.length > this.#maxEventBytes) this.#hold(last);
      return last;
    }
    this.#hold(last);
    return this.rest();
  }
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
