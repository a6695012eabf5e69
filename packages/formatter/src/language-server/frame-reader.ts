/** The input is no sequence of framed messages: the connection cannot go on, for nobody knows where the next one starts. */
export class FramingError extends Error {
  override readonly name = "FramingError";
}

/** Bytes that a message's header may have. */
const MAX_HEADER = 4096;

const headerEnd = Buffer.from("\r\n\r\n");

/**
 * Cuts a stream into the bodies of its messages: each stands behind a header with its `Content-Length` in bytes
 * (Language Server Protocol 3.17, base protocol).
 */
export class FrameReader {
  readonly #maxBody: number;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Length of the body whose header has been read. */
  #expected: number | undefined;

  /** @param maxBody bytes that one message may have */
  constructor(maxBody: number) {
    this.#maxBody = maxBody;
  }

  /**
   * Takes bytes as they arrive and returns the bodies that are complete with them.
   * @throws {FramingError} for a header without a usable length, and for a message beyond the limit
   */
  push(chunk: Uint8Array): Buffer[] {
    this.#chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    this.#size += chunk.length;
    const bodies: Buffer[] = [];
    for (;;) {
      if (this.#expected === undefined && !this.#readHeader()) return bodies;
      if (this.#expected === undefined || this.#size < this.#expected) return bodies;
      bodies.push(this.#take(this.#expected));
      this.#expected = undefined;
    }
  }

  #readHeader(): boolean {
    if (this.#size === 0) return false;
    const waiting = this.#peek();
    const end = waiting.subarray(0, MAX_HEADER).indexOf(headerEnd);
    if (end === -1) {
      if (this.#size >= MAX_HEADER)
        throw new FramingError(`a message's header is longer than ${MAX_HEADER} bytes`);
      return false;
    }
    this.#expected = this.#lengthIn(waiting.toString("latin1", 0, end));
    this.#take(end + headerEnd.length);
    return true;
  }

  #lengthIn(header: string): number {
    const text = /^content-length:[ \t]*(\d{1,15})[ \t]*$/im.exec(header)?.[1];
    if (text === undefined) throw new FramingError("a message has no Content-Length");
    const length = Number(text);
    if (length > this.#maxBody)
      throw new FramingError(`a message of ${length} bytes is beyond the limit of ${this.#maxBody}`);
    return length;
  }

  /** Everything that waits in one piece. */
  #peek(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }

  #take(length: number): Buffer {
    const waiting = this.#peek();
    const rest = waiting.subarray(length);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return waiting.subarray(0, length);
  }
}

/** A message behind its header, ready to be written. */
export function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "latin1"), body]);
}
