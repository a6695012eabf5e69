import type { LinesBlock } from "../lines/blank-lines/lines-block.ts";

const LF = 0x0a;

/**
 * The output while it is written: pieces that end with a line break, each a text or a range of the source. Ranges that
 * follow one another in the source as well are one piece. The blank lines before a piece may still change when later
 * lines are known, so they are written at the end.
 */
export class Output {
  readonly #source: string;
  /** What stands before each piece; `undefined` where there are no blank lines. */
  readonly #blocks: (LinesBlock | undefined)[] = [];
  /** The text of each piece; `undefined` for a range. */
  readonly #texts: (string | undefined)[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
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
    return this.#texts.length === 0;
  }

  /** All text, or the source itself where that is the same; blank lines after the last line are left out. */
  text(): string {
    if (this.#isSource()) return this.#source;
    const parts: string[] = [];
    for (let i = 0; i < this.#texts.length; i++) {
      const block = this.#blocks[i];
      if (block !== undefined) parts.push(block.text());
      parts.push(this.#texts[i] ?? this.#source.slice(this.#starts[i]!, this.#ends[i]!), "\n");
    }
    return parts.join("");
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

  /** Compares in place, so that no text is made of a source that is formatted already. */
  #isSource(): boolean {
    const source = this.#source;
    let at = 0;
    for (let i = 0; i < this.#texts.length; i++) {
      const block = this.#blocks[i];
      if (block !== undefined) {
        if (block.formFeed) return false;
        for (let breaks = block.breaks(); breaks > 0; breaks--)
          if (source.charCodeAt(at++) !== LF) return false;
      }
      const text = this.#texts[i];
      if (text === undefined) {
        if (this.#starts[i] !== at) return false;
        at = this.#ends[i]!;
      } else {
        if (!source.startsWith(text, at)) return false;
        at += text.length;
      }
      if (source.charCodeAt(at++) !== LF) return false;
    }
    return at === source.length;
  }
}
