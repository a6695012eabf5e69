import { TokenError, TokenFailure } from "./token-error.ts";

const TAB = 9;
const SPACE = 32;

/** The indentations of the open blocks, as ranges of the source (pytokens: indent). Columns are characters. */
export class IndentStack {
  size = 0;
  readonly #codes: Uint8Array;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  constructor(codes: Uint8Array) {
    this.#codes = codes;
  }

  push(start: number, end: number): void {
    this.#starts[this.size] = start;
    this.#lengths[this.size] = end - start;
    this.size++;
  }

  /** Ends the innermost block and returns its indentation's length. */
  pop(): number {
    this.size--;
    return this.#lengths[this.size]!;
  }

  /** Whether the innermost block is indented by more than `start..end`, which is more than form feeds. */
  isInside(start: number, end: number): boolean {
    return this.size > 0 && end - start < this.#lengths[this.size - 1]! && this.#hasTabOrSpace(start, end);
  }

  /**
   * What the indentation `start..end` does: 1 opens a block, 0 goes on, -n ends n blocks. After a backslash
   * continuation a line cannot end a block.
   */
  compare(start: number, end: number, isEscaped: boolean): number {
    const length = end - start;
    if (length > 0 && !this.#hasTabOrSpace(start, end)) return this.compare(end, end, isEscaped);
    const top = this.size - 1;
    const current = top < 0 ? 0 : this.#lengths[top]!;
    if (length === current) {
      if (length > 0 && !this.#isSame(start, this.#starts[top]!, length)) {
        throw new TokenError(TokenFailure.INCONSISTENT_INDENT);
      }
      return 0;
    }
    if (length > current) {
      if (current > 0 && !this.#contains(start, end, this.#starts[top]!, current)) {
        throw new TokenError(TokenFailure.INCONSISTENT_INDENT);
      }
      return 1;
    }
    return isEscaped ? 0 : -this.#blocksEnded(length);
  }

  #blocksEnded(length: number): number {
    let at = this.size;
    while (at > 0 && this.#lengths[at - 1]! !== length) {
      if (this.#lengths[at - 1]! < length) throw new TokenError(TokenFailure.UNMATCHED_DEDENT);
      at--;
    }
    return this.size - at;
  }

  #hasTabOrSpace(start: number, end: number): boolean {
    for (let at = start; at < end; at++) {
      const code = this.#codes[at]!;
      if (code === SPACE || code === TAB) return true;
    }
    return false;
  }

  #isSame(a: number, b: number, length: number): boolean {
    for (let i = 0; i < length; i++) {
      if (this.#codes[a + i]! !== this.#codes[b + i]!) return false;
    }
    return true;
  }

  #contains(start: number, end: number, other: number, length: number): boolean {
    for (let at = start; at + length <= end; at++) if (this.#isSame(at, other, length)) return true;
    return false;
  }
}
