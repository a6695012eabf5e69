/** `lazy` is a name until `import` or `from` follows it (PEP 810). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { PrefixFlag } from "../syntax/tree.ts";
import type { TokenBuffer } from "./token-buffer.ts";

export class LazyImports {
  readonly #tokens: TokenBuffer;
  /** Index of a `lazy` that begins a statement. */
  #at = -1;

  constructor(tokens: TokenBuffer) {
    this.#tokens = tokens;
  }

  /** Takes note of a `lazy` that is about to be added; returns the kind that it has for now. */
  see(): number {
    const tokens = this.#tokens;
    const last = tokens.count === 0 ? Kind.NEWLINE : tokens.kinds[tokens.count - 1]!;
    if (last >= Kind.NEWLINE && last <= Kind.DEDENT) this.#at = tokens.count;
    return Kind.NAME;
  }

  /** Before an `import` or `from` is added; `gap` has the flags of what stands before it. */
  settle(gap: number): void {
    const tokens = this.#tokens;
    if (this.#at === -1 || this.#at !== tokens.count - 1) return;
    if ((gap & (PrefixFlag.COMMENT | PrefixFlag.NEWLINE | PrefixFlag.BACKSLASH)) !== 0) return;
    tokens.kinds[this.#at] = Kind.LAZY;
    tokens.features |= Feature.LAZY_IMPORTS;
  }
}
