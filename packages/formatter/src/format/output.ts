import type { LinesBlock } from "../lines/blank-lines/lines-block.ts";

const LF = 0x0a;

/**
 * The output while it is written: blocks of lines, each line a text or a range of the source. The blank lines before a
 * block may still change when later ones are known, so they are written at the end.
 */
export class Output {
  readonly #source: string;
  readonly #blocks: LinesBlock[] = [];
  /** Number of lines before each block. */
  readonly #firstLines: number[] = [];
  readonly #texts: (string | undefined)[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** @param source what the ranges are ranges of. */
  constructor(source: string) {
    this.#source = source;
  }

  /** Begins a block: the lines that follow are its content. */
  begin(block: LinesBlock): void {
    this.#blocks.push(block);
    this.#firstLines.push(this.#texts.length);
  }

  /** Adds a line, without its line break. */
  write(line: string): void {
    this.#texts.push(line);
    this.#starts.push(0);
    this.#ends.push(0);
  }

  /** Adds a line of the source, without its line break. */
  writeRange(start: number, end: number): void {
    this.#texts.push(undefined);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** All text, or the source itself where that is the same; blank lines after the last block are left out. */
  text(): string {
    if (this.#isSource()) return this.#source;
    const parts: string[] = [];
    const blocks = this.#blocks;
    for (let i = 0; i < blocks.length; i++) {
      if (i > 0 && blocks[i - 1]!.after > 0) parts.push("\n".repeat(blocks[i - 1]!.after));
      parts.push(blocks[i]!.prefix());
      const end = this.#firstLines[i + 1] ?? this.#texts.length;
      for (let line = this.#firstLines[i]!; line < end; line++) {
        parts.push(this.#texts[line] ?? this.#source.slice(this.#starts[line]!, this.#ends[line]!), "\n");
      }
    }
    return parts.join("");
  }

  /** Compares in place, so that no text is made of a source that is formatted already. */
  #isSource(): boolean {
    const source = this.#source;
    const blocks = this.#blocks;
    let at = 0;
    for (let i = 0; i < blocks.length; i++) {
      const block = blocks[i]!;
      if (block.formFeed) return false;
      let breaks = block.before + (i === 0 ? 0 : blocks[i - 1]!.after);
      while (breaks > 0 && source.charCodeAt(at) === LF) {
        breaks--;
        at++;
      }
      if (breaks > 0) return false;
      const end = this.#firstLines[i + 1] ?? this.#texts.length;
      for (let line = this.#firstLines[i]!; line < end; line++) {
        const text = this.#texts[line];
        if (text === undefined) {
          if (this.#starts[line] !== at) return false;
          at = this.#ends[line]!;
        } else {
          if (!source.startsWith(text, at)) return false;
          at += text.length;
        }
        if (source.charCodeAt(at++) !== LF) return false;
      }
    }
    return at === source.length;
  }
}
