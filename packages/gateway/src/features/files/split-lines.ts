/** A line of a file, without its end; `from` is the byte at which it begins, `number` counts from 1. */
export interface Line {
  readonly number: number;
  readonly from: number;
  readonly bytes: Buffer;
}

/** A line is longer than it may be. */
export class LineTooLong extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is too long`);
    this.line = line;
  }
}

/** Cuts bytes that arrive in any pieces into lines; never holds more than one line. */
export class LineSplitter {
  readonly #longest: number;
  #parts: Buffer[] = [];
  #held = 0;
  #number = 0;
  #from = 0;

  /** @param longest bytes of a line */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /**
   * The lines that end in this piece.
   * @throws LineTooLong
   */
  *push(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = this.#take(chunk.subarray(start, end));
      yield line;
      start = end + 1;
      this.#from = line.from + line.bytes.length + 1;
    }
    if (start < chunk.length) {
      const rest = chunk.subarray(start);
      this.#check(this.#held + rest.length);
      this.#parts.push(rest);
      this.#held += rest.length;
    }
  }

  /** The last line, where the file does not end with a line's end. */
  *end(): Generator<Line> {
    if (this.#held > 0) yield this.#take(Buffer.alloc(0));
  }

  #take(last: Buffer): Line {
    this.#check(this.#held + last.length);
    const bytes = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    this.#held = 0;
    this.#number += 1;
    return { number: this.#number, from: this.#from, bytes };
  }

  #check(length: number): void {
    if (length > this.#longest) throw new LineTooLong(this.#number + 1);
  }
}

/** The lines of a stream of bytes. */
export async function* linesOf(source: AsyncIterable<Buffer>, longest: number): AsyncGenerator<Line> {
  const splitter = new LineSplitter(longest);
  for await (const chunk of source) yield* splitter.push(chunk);
  yield* splitter.end();
}
