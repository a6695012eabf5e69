import type { LinesBlock } from "../lines/blank-lines/lines-block.ts";

const LF = 0x0a;

/** Pieces that wait before those that are settled become text: so many take little memory, and joining them little time. */
const MOST_WAITING = 1 << 11;

/**
 * The output while it is written: pieces that end with a line break, each a text or a range of the source. Ranges that
 * follow one another in the source as well are one piece. The blank lines before a piece may still change when later
 * lines are known, so that pieces wait; those of a long source become text in between, as all of them together would
 * take several times its size.
 */
export class Output {
  readonly #source: string;
  /** What stands before each piece; `undefined` where there are no blank lines. */
  readonly #blocks: (LinesBlock | undefined)[] = [];
  /** The text of each piece; `undefined` for a range. */
  readonly #texts: (string | undefined)[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** How many pieces may wait at present. */
  #mostWaiting = MOST_WAITING;
  /** The text of the pieces that wait no more, from where they differ from the source. */
  readonly #settled: string[] = [];
  /** How much of the source the pieces that wait no more are, while they are nothing else; -1 from then on. */
  #same = 0;
  /** The block that the next line begins. */
  #begun: LinesBlock | undefined = undefined;
  /** Where the last piece ends in the source; -1 where that is a text. */
  #end = -1;

  /** @param source what the ranges are ranges of. */
  constructor(source: string) {
    this.#source = source;
  }

  /** Begins a block: the lines that follow, at least one, are its content. */
  begin(block: LinesBlock): void {
    if (this.#texts.length > this.#mostWaiting) this.#settleSome();
    this.#begun = block;
  }

  /** Adds a line, without its line break. */
  write(line: string): void {
    this.#add(line, 0, 0);
    this.#end = -1;
  }

  /** Adds a line of the source, without its line break. */
  writeRange(start: number, end: number): void {
    if (this.#continues(start)) {
      this.#begun = undefined;
      this.#ends[this.#ends.length - 1] = end;
    } else {
      this.#add(undefined, start, end);
    }
    this.#end = end;
  }

  isEmpty(): boolean {
    return this.#texts.length === 0 && this.#settled.length === 0 && this.#same === 0;
  }

  /** All text, or the source itself where that is the same; blank lines after the last line are left out. */
  text(): string {
    this.#settle(this.#texts.length);
    if (this.#same !== -1) return this.#source.slice(0, this.#same);
    return this.#settled.join("");
  }

  #add(text: string | undefined, start: number, end: number): void {
    this.#blocks.push(this.#begun);
    this.#begun = undefined;
    this.#texts.push(text);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** Whether the source has the blank lines due, and nothing else, between the end of the last piece and `start`. */
  #continues(start: number): boolean {
    const end = this.#end;
    if (end === -1) return false;
    const block = this.#begun;
    if (block === undefined) return start === end + 1 && this.#source.charCodeAt(end) === LF;
    if (block.mayGrow || block.formFeed || start !== end + 1 + block.breaks()) return false;
    for (let at = end; at < start; at++) if (this.#source.charCodeAt(at) !== LF) return false;
    return true;
  }

  /** Settles the pieces before the last one, which may get longer, and before blank lines that may still change. */
  #settleSome(): void {
    let count = this.#texts.length - 1;
    for (let at = count; at >= 0; at--) if (this.#blocks[at]?.mayGrow === true) count = at;
    this.#settle(count);
    for (const waiting of [this.#blocks, this.#texts, this.#starts, this.#ends]) waiting.splice(0, count);
    this.#mostWaiting = Math.max(MOST_WAITING, 2 * this.#texts.length);
  }

  #settle(count: number): void {
    let at = 0;
    while (at < count && this.#same !== -1) {
      const end = this.#endInSource(at, this.#same);
      if (end === -1) this.#settled.push(this.#source.slice(0, this.#same));
      else at++;
      this.#same = end;
    }
    const parts: string[] = [];
    for (; at < count; at++) {
      const block = this.#blocks[at];
      if (block !== undefined) parts.push(block.text());
      parts.push(this.#texts[at] ?? this.#source.slice(this.#starts[at]!, this.#ends[at]!), "\n");
    }
    if (parts.length > 0) this.#settled.push(parts.join(""));
  }

  /** Where a piece ends in the source that begins there at an offset, or -1: no text is made of what is formatted already. */
  #endInSource(piece: number, offset: number): number {
    const source = this.#source;
    let at = offset;
    const block = this.#blocks[piece];
    if (block !== undefined) {
      if (block.formFeed) return -1;
      for (let breaks = block.breaks(); breaks > 0; breaks--) if (source.charCodeAt(at++) !== LF) return -1;
    }
    const text = this.#texts[piece];
    if (text === undefined) {
      if (this.#starts[piece] !== at) return -1;
      at = this.#ends[piece]!;
    } else {
      if (!source.startsWith(text, at)) return -1;
      at += text.length;
    }
    return source.charCodeAt(at) === LF ? at + 1 : -1;
  }
}
