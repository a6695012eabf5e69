/**
 * The tokens of one source as flat arrays, in order. Token `i` covers `source[starts[i]..ends[i])`; what lies
 * between it and the token before is its prefix. One buffer is used again for every source.
 */
export class TokenBuffer {
  count = 0;
  kinds = new Uint8Array(INITIAL);
  starts = new Int32Array(INITIAL);
  ends = new Int32Array(INITIAL);
  /** 1-based source line of the first character. */
  lines = new Int32Array(INITIAL);
  /** `PrefixFlag` bits of the gap before the token, and `LOST_TEXT`. */
  prefixFlags = new Uint8Array(INITIAL);
  /** `TextFlag` bits. */
  textFlags = new Uint8Array(INITIAL);
  /** Prefixes that are not the gap's own text, by token. */
  readonly prefixes = new Map<number, string>();
  /** Feature bits that tokens alone show. */
  features = 0;
  #capacity = INITIAL;

  clear(): void {
    this.count = 0;
    this.features = 0;
    this.prefixes.clear();
  }

  push(kind: number, start: number, end: number, line: number, prefixFlags: number, textFlags: number): void {
    const i = this.count;
    if (i === this.#capacity) this.#grow();
    this.kinds[i] = kind;
    this.starts[i] = start;
    this.ends[i] = end;
    this.lines[i] = line;
    this.prefixFlags[i] = prefixFlags;
    this.textFlags[i] = textFlags;
    this.count = i + 1;
  }

  #grow(): void {
    const n = this.#capacity * 2;
    this.#capacity = n;
    this.kinds = widen(this.kinds, new Uint8Array(n));
    this.starts = widen(this.starts, new Int32Array(n));
    this.ends = widen(this.ends, new Int32Array(n));
    this.lines = widen(this.lines, new Int32Array(n));
    this.prefixFlags = widen(this.prefixFlags, new Uint8Array(n));
    this.textFlags = widen(this.textFlags, new Uint8Array(n));
  }
}

const INITIAL = 1 << 15;

/** Prefix flag of a token whose prefix stands in `prefixes`. */
export const LOST_TEXT = 128;

function widen<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
