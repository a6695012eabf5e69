/** Blocks: what indentation makes INDENT and DEDENT tokens, and which of the comments before them each gets. */
import { Kind } from "../syntax/kinds.ts";
import { PrefixFlag } from "../syntax/tree.ts";
import { IndentStack } from "./indent-stack.ts";
import { prefixFlagsOf, prefixWithLostLines, splitAtDedent } from "./prefix.ts";
import { LOST_TEXT, type TokenBuffer } from "./token-buffer.ts";
import type { Tokenizer } from "./tokenizer.ts";

export class Blocks {
  readonly #scan: Tokenizer;
  readonly #indents: IndentStack;
  /** Prefix of the next token where it is not the gap's text and was computed at the start of the line. */
  #prefix: string | undefined;

  constructor(scan: Tokenizer) {
    this.#scan = scan;
    this.#indents = new IndentStack(scan.codes);
  }

  /** Open blocks. */
  get depth(): number {
    return this.#indents.size;
  }

  /**
   * INDENT or DEDENTs before the token at `at`, whose line starts at `lineStart`.
   *
   * @returns whether there should be DEDENTs, but for the backslash before the line
   */
  beginLine(lineStart: number, at: number, isEscaped: boolean): boolean {
    const change = this.#indents.compare(lineStart, at, isEscaped);
    if (change > 0) this.#open(lineStart, at);
    else if (change < 0) this.#close(-change, at);
    else if (at > lineStart) {
      this.#scan.rawStart = lineStart;
      return isEscaped && this.#indents.isInside(lineStart, at);
    }
    return false;
  }

  /** DEDENTs at the end of the source. */
  closeAll(at: number): void {
    if (this.#indents.size > 0) this.#close(this.#indents.size, at);
  }

  /** Keeps the prefix of the next token, which starts at `start`, where blib2to3 loses text of it. */
  keepPrefix(start: number): void {
    const { tokens, source } = this.#scan;
    const last = tokens.count === 0 ? Kind.NEWLINE : tokens.kinds[tokens.count - 1]!;
    const followsCode = last < Kind.NEWLINE || last > Kind.DEDENT;
    const prefix = this.#prefix ?? prefixWithLostLines(source.slice(gapStart(tokens), start), followsCode);
    tokens.prefixes.set(tokens.count, prefix);
    this.#prefix = undefined;
  }

  /** INDENT has no prefix: comments before it go to the first token of the block. */
  #open(lineStart: number, at: number): void {
    const scan = this.#scan;
    const start = gapStart(scan.tokens);
    this.#indents.push(lineStart, at);
    scan.tokens.push(Kind.INDENT, start, start, scan.line, 0, 0);
    scan.rawStart = lineStart;
  }

  /** Ends `count` blocks; each DEDENT takes the comments that are indented like its block. */
  #close(count: number, at: number): void {
    const scan = this.#scan;
    const { tokens, source } = scan;
    const start = gapStart(tokens);
    if ((scan.flags & LOST_TEXT) !== 0) {
      this.#closeWithLostText(count, start, at);
      return;
    }
    const hasComments = (scan.flags & (PrefixFlag.COMMENT | PrefixFlag.BACKSLASH)) !== 0;
    let from = start;
    for (let i = 0; i < count; i++) {
      const column = this.#indents.pop();
      const split = hasComments ? splitAtDedent(source, from, at, column) : from;
      const flags = split === from ? 0 : prefixFlagsOf(source, from, split);
      tokens.push(Kind.DEDENT, split, split, scan.line, flags, 0);
      from = split;
    }
    if (from !== start) scan.flags = prefixFlagsOf(source, from, at);
    scan.rawStart = at;
  }

  #closeWithLostText(count: number, start: number, at: number): void {
    const scan = this.#scan;
    const { tokens } = scan;
    let rest = prefixWithLostLines(scan.source.slice(start, at), false);
    for (let i = 0; i < count; i++) {
      const split = splitAtDedent(rest, 0, rest.length, this.#indents.pop());
      tokens.prefixes.set(tokens.count, rest.slice(0, split));
      tokens.push(Kind.DEDENT, start, start, scan.line, LOST_TEXT, 0);
      rest = rest.slice(split);
    }
    this.#prefix = rest;
    scan.rawStart = at;
  }
}

/** Where the gap before the next token begins. */
function gapStart(tokens: TokenBuffer): number {
  return tokens.count === 0 ? 0 : tokens.ends[tokens.count - 1]!;
}
