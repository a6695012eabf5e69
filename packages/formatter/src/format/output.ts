import type { LinesBlock } from "../lines/blank-lines/lines-block.ts";

/**
 * The output while it is written. The blank lines before a block may still change when later ones are known, so each
 * block has a slot of its own for them.
 */
export class Output {
  readonly #parts: string[] = [];
  readonly #blocks: LinesBlock[] = [];
  readonly #slots: number[] = [];

  /** Begins a block: the lines that follow are its content. */
  begin(block: LinesBlock): void {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.after > 0) this.#parts.push("\n".repeat(last.after));
    this.#blocks.push(block);
    this.#slots.push(this.#parts.push("") - 1);
  }

  /** Adds a line, without its line break. */
  write(line: string): void {
    this.#parts.push(line, "\n");
  }

  isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** All text; blank lines after the last block are left out. */
  text(): string {
    for (let i = 0; i < this.#blocks.length; i++) this.#parts[this.#slots[i]!] = this.#blocks[i]!.prefix();
    return this.#parts.join("");
  }
}
