/**
 * Python source to tokens, as blib2to3 cuts it (blib2to3 `pgen2/tokenize.py` over pytokens): laxer than Python, with
 * its quirks. Comments and blank lines are no tokens; they are the prefix of the token that follows.
 */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { PrefixFlag, TextFlag } from "../syntax/tree.ts";
import { Blocks } from "./blocks.ts";
import { CharacterClass, characterClasses, nameCharacters } from "./character-class.ts";
import { InterpolationStack, laxScanner, startInterpolated, type TextScanner } from "./interpolation.ts";
import { nameKind } from "./keywords.ts";
import { LazyImports } from "./lazy-imports.ts";
import { hasUnderscore, scanNumber } from "./numbers.ts";
import { scanOperator } from "./operators.ts";
import { codesOf } from "./source-codes.ts";
import type { StatementReader } from "./statement-reader.ts";
import { isInterpolated, quoteAfterPrefix, scanString, stringFacts } from "./strings.ts";
import { LOST_TEXT, type TokenBuffer } from "./token-buffer.ts";
import { TokenError, TokenFailure } from "./token-error.ts";
import { TokenKind } from "./token-kind.ts";

const FORM_FEED = 12;
const NEWLINE = 10;
const SPACE = 32;
const HASH = 35;
const DOT = 46;
const BACKSLASH = 92;
const RBRACE = 125;

/**
 * Brackets within brackets. Python takes 200, and the output grows with the square of them: each level is indented
 * more than the one around it.
 */
const MAX_BRACKETS = 1_000;

/** Why and where tokenizing failed: an offset into the source. */
export interface TokenizeFailure {
  readonly message: string;
  readonly offset: number;
}

/** Scanner of one source; its state is what helpers in this folder read and change. */
export class Tokenizer {
  readonly source: string;
  /** `codesOf` the source: looking ahead of its end finds NULs. */
  readonly codes: Uint8Array;
  readonly end: number;
  readonly tokens: TokenBuffer;
  readonly strings = new InterpolationStack();
  readonly scanner: TextScanner;
  failure: TokenizeFailure | undefined;
  /** Current 1-based line. */
  line = 1;
  /** Open brackets within the file or within the innermost replacement field. */
  depth = 0;
  /** The most of them. */
  deepest = 0;
  /** Flags of the gap since the last token. */
  flags = 0;
  /** Where the last raw token of pytokens began; its errors are reported there. */
  rawStart = 0;

  /** Where the last line within brackets begins, or the one behind a backslash that has a line to itself there. */
  #lineStart = -1;
  readonly #reader: StatementReader | undefined;
  readonly #blocks: Blocks;
  readonly #lazyImports: LazyImports;

  /** @param reader finds statements that become one token, or few. */
  constructor(source: string, tokens: TokenBuffer, reader?: StatementReader, scanner = laxScanner) {
    this.scanner = scanner;
    this.source = source;
    this.end = source.length;
    this.tokens = tokens;
    this.codes = codesOf(source);
    this.#reader = reader;
    reader?.begin(this.source, this.codes);
    this.#blocks = new Blocks(this);
    this.#lazyImports = new LazyImports(tokens);
  }

  run(): void {
    this.tokens.clear();
    try {
      this.#scan();
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      this.failure = { message: error.message, offset: this.rawStart };
      const at = this.tokens.count === 0 ? 0 : this.tokens.ends[this.tokens.count - 1]!;
      this.tokens.push(TokenKind.ERROR, at, at, this.line, 0, 0);
    }
  }

  /** Adds a token with the gap before it as its prefix. */
  push(kind: number, start: number, end: number, textFlags: number): void {
    if ((this.flags & LOST_TEXT) !== 0) this.#blocks.keepPrefix(start);
    this.tokens.push(kind, start, end, this.line, this.flags, textFlags);
    this.flags = 0;
    this.rawStart = start;
  }

  #scan(): void {
    const { codes, end } = this;
    let at = this.#startStatement(0);
    while (at < end) {
      const code = codes[at]!;
      switch (characterClasses[code]) {
        case CharacterClass.SPACE:
          at = this.#skipSpace(at);
          break;
        case CharacterClass.NAME:
          at = this.#name(at, code);
          break;
        case CharacterClass.NEWLINE:
          at = this.#newline(at);
          break;
        case CharacterClass.OPENING:
          this.push(openingKind(code), at, at + 1, 0);
          if (++this.depth > this.deepest) this.deepest = this.depth;
          if (this.depth > MAX_BRACKETS) throw new TokenError(TokenFailure.TOO_DEEP);
          at++;
          break;
        case CharacterClass.CLOSING:
          at = this.#closing(at, code);
          break;
        case CharacterClass.OPERATOR: {
          const found = scanOperator(codes, at, code);
          this.push(found >> 2, at, at + (found & 3), 0);
          at += found & 3;
          break;
        }
        case CharacterClass.COLON:
          at = this.#colon(at);
          break;
        case CharacterClass.QUOTE:
          at = this.#string(at, at);
          break;
        case CharacterClass.DIGIT:
          at = this.#number(at);
          break;
        case CharacterClass.DOT:
          at = this.#dot(at);
          break;
        case CharacterClass.HASH:
          at = this.#comment(at);
          break;
        case CharacterClass.BACKSLASH:
          at = this.#continuation(at, false, this.#isFirstInBrackets(at));
          break;
        default:
          this.#noToken(at);
          return;
      }
    }
    this.#finish(at);
  }

  #skipSpace(start: number): number {
    this.rawStart = start;
    const { codes } = this;
    let at = start;
    while (codes[at] === SPACE) at++;
    for (;;) {
      const code = codes[at]!;
      if (code === FORM_FEED) this.flags |= PrefixFlag.FORM_FEED;
      else if (characterClasses[code] !== CharacterClass.SPACE) return at;
      at++;
    }
  }

  #comment(start: number): number {
    this.rawStart = start;
    this.flags |= PrefixFlag.COMMENT;
    const lineEnd = this.source.indexOf("\n", start);
    return lineEnd === -1 ? this.end : lineEnd;
  }

  #newline(at: number): number {
    if (this.depth === 0 && this.strings.fields === 0) {
      this.push(Kind.NEWLINE, at, at + 1, 0);
      this.line++;
      return this.#startStatement(at + 1);
    }
    this.rawStart = at;
    this.flags |= PrefixFlag.NEWLINE;
    this.line++;
    this.#lineStart = at + 1;
    return at + 1;
  }

  /** Whether nothing but white space is before the backslash on its line, within brackets. */
  #isFirstInBrackets(at: number): boolean {
    if (at === this.#lineStart) return true;
    return (
      this.rawStart === this.#lineStart && characterClasses[this.codes[at - 1]!] === CharacterClass.SPACE
    );
  }

  /** A backslash, the white space behind it, and up to one line break within that. */
  #continuation(start: number, isLineStart: boolean, isFirstInBrackets = false): number {
    const { codes } = this;
    let at = start + 1;
    let hasBreak = false;
    for (;;) {
      const code = codes[at]!;
      if (code === NEWLINE && !hasBreak) {
        hasBreak = true;
        this.line++;
        at++;
        if (isFirstInBrackets) this.#lineStart = at;
        if (isLineStart || isFirstInBrackets) break;
      } else if (characterClasses[code] === CharacterClass.SPACE) at++;
      else break;
    }
    if (at === start + 1) {
      if (at >= this.end) throw new TokenError(TokenFailure.UNEXPECTED_EOF);
      throw new TokenError(TokenFailure.AFTER_BACKSLASH);
    }
    this.rawStart = at < this.end ? start : at;
    const isFirst = !isLineStart && (this.flags & (PrefixFlag.NEWLINE | PrefixFlag.BACKSLASH)) === 0;
    if (!isFirst || codes[start + 1] !== NEWLINE) this.flags |= LOST_TEXT;
    this.flags |= PrefixFlag.BACKSLASH | (hasBreak ? PrefixFlag.NEWLINE : 0);
    return at;
  }

  #name(start: number, first: number): number {
    const { codes } = this;
    const lower = first | 32;
    if (lower === 102 || lower === 114 || lower === 98 || lower === 117 || lower === 116) {
      const quote = quoteAfterPrefix(codes, start);
      if (quote !== -1) return this.#string(start, quote);
    }
    let at = start + 1;
    let seen = first;
    for (;;) {
      const code = codes[at]!;
      if (nameCharacters[code] === 0) break;
      seen |= code;
      at++;
    }
    let kind = seen > 127 ? Kind.NAME : nameKind(codes, start, at);
    if (kind === Kind.LAZY) kind = this.#lazyImports.see();
    else if (kind === Kind.KW_IMPORT || kind === Kind.KW_FROM) this.#lazyImports.settle(this.flags);
    this.push(kind, start, at, seen > 127 ? TextFlag.NON_ASCII : 0);
    return at;
  }

  #closing(at: number, code: number): number {
    if (code === RBRACE && this.depth === 0 && this.strings.fields > 0) {
      this.push(Kind.RBRACE, at, at + 1, 0);
      this.depth = this.strings.fieldDepth();
      const isInSpec = this.strings.closeField();
      return isInSpec ? this.scanner.spec(this, at + 1, true) : this.scanner.text(this, at + 1);
    }
    if (this.depth > 0) this.depth--;
    this.push(code === 41 ? Kind.RPAR : code === 93 ? Kind.RSQB : Kind.RBRACE, at, at + 1, 0);
    return at + 1;
  }

  #colon(at: number): number {
    if (this.depth === 0 && this.strings.fields > 0) {
      this.push(Kind.COLON, at, at + 1, 0);
      return this.scanner.spec(this, at + 1, false);
    }
    if (this.codes[at + 1] !== 61) {
      this.push(Kind.COLON, at, at + 1, 0);
      return at + 1;
    }
    this.tokens.features |= Feature.ASSIGNMENT_EXPRESSIONS;
    this.push(Kind.COLONEQUAL, at, at + 2, 0);
    return at + 2;
  }

  #number(start: number): number {
    const at = scanNumber(this.codes, start);
    if (at - start > 2 && hasUnderscore(this.codes, start, at)) {
      this.tokens.features |= Feature.NUMERIC_UNDERSCORES;
    }
    this.push(Kind.NUMBER, start, at, 0);
    return at;
  }

  /** A number that starts with its point, or dots: blib2to3 has no token for an ellipsis, which is found first. */
  #dot(start: number): number {
    if (this.codes[start + 1] === DOT && this.codes[start + 2] === DOT) {
      for (let i = 0; i < 3; i++) this.push(Kind.DOT, start + i, start + i + 1, 0);
      return start + 3;
    }
    const at = scanNumber(this.codes, start);
    if (at > start + 1) return this.#number(start);
    this.push(Kind.DOT, start, at, 0);
    return at;
  }

  #string(start: number, quote: number): number {
    if (quote > start && isInterpolated(this.codes, start, quote))
      return startInterpolated(this, start, quote);
    const at = scanString(this.codes, quote, this.end);
    this.push(Kind.STRING, start, at, stringFacts.textFlags);
    this.line += stringFacts.lineBreaks;
    return at;
  }

  /** What comes before the next statement that needs all its tokens, from the beginning of a line on. */
  #startStatement(start: number): number {
    let at = this.#startLine(start);
    const reader = this.#reader;
    if (reader === undefined) return at;
    while (at < this.end && (this.flags & (PrefixFlag.BACKSLASH | LOST_TEXT)) === 0) {
      if (!reader.read(at, this.#blocks.depth)) break;
      this.#pushStatement(reader, at);
      at = this.#startLine(reader.newline + 1);
    }
    return at;
  }

  /** The tokens of a statement that the reader has found at `start`. */
  #pushStatement(reader: StatementReader, start: number): void {
    const { keyword, keywordStart, restStart, restEnd, colon, newline } = reader;
    if (keyword === Kind.NAME) this.push(TokenKind.WHOLE, start, restEnd, TextFlag.VERBATIM);
    else {
      if (keywordStart > start) this.push(Kind.ASYNC, start, start + "async".length, TextFlag.VERBATIM);
      const isMultiline = keyword === Kind.STRING && reader.lineBreaks > 0;
      const flags = TextFlag.VERBATIM | (isMultiline ? TextFlag.MULTILINE : 0);
      this.push(keyword, keywordStart, reader.keywordEnd, flags);
      if (restStart < restEnd) this.push(TokenKind.WHOLE, restStart, restEnd, 0);
      if (colon !== -1) this.push(Kind.COLON, colon, colon + 1, 0);
    }
    this.tokens.features |= reader.features;
    this.line += reader.lineBreaks;
    if (newline > Math.max(restEnd, colon + 1)) this.flags |= PrefixFlag.COMMENT;
    this.push(Kind.NEWLINE, newline, newline + 1, 0);
    this.line++;
  }

  /** Blank lines, comment lines and the indentation of the next line with code. */
  #startLine(start: number): number {
    const { codes, end } = this;
    let lineStart = start;
    let isEscaped = false;
    for (;;) {
      const rawStart = this.rawStart;
      const at = this.#skipSpace(lineStart);
      const code = codes[at]!;
      if (code === NEWLINE || code === HASH) {
        const lineEnd = code === HASH ? this.#comment(at) : at;
        this.rawStart = lineEnd;
        this.flags |= PrefixFlag.NEWLINE;
        this.line++;
        lineStart = lineEnd + 1;
        isEscaped = false;
        if (lineStart <= end) continue;
        return end;
      }
      if (at >= end) return at;
      if (code === BACKSLASH) {
        const line = this.line;
        if (at === lineStart) this.rawStart = rawStart;
        lineStart = this.#continuation(at, true);
        isEscaped = true;
        // A comment or another backslash behind the first one still belongs to what comes before the code.
        if (this.line > line || codes[lineStart] === HASH || codes[lineStart] === BACKSLASH) continue;
        return lineStart;
      }
      this.rawStart = rawStart; // where a failure to match indentations is reported
      if (this.#blocks.beginLine(lineStart, at, isEscaped)) return this.#gluedName(lineStart, at);
      return at;
    }
  }

  /**
   * Behind a backslash on a line of its own, pytokens makes the white space of a line that is indented less than its
   * block part of what follows: of a string, or else of a name, which is no keyword then and may begin with digits.
   * Before an operator the name is that white space alone, of which Black prints nothing.
   */
  #gluedName(lineStart: number, start: number): number {
    const { codes } = this;
    if (characterClasses[codes[start]!] === CharacterClass.QUOTE || quoteAfterPrefix(codes, start) !== -1)
      return start;
    let at = start;
    while (nameCharacters[codes[at]!] !== 0) at++;
    this.push(Kind.NAME, lineStart, at === start ? lineStart : at, 0);
    return at;
  }

  /**
   * A character that no token starts with: pytokens gives empty names without end, and a parser that is offered
   * several names in a row fails at the second one at the latest.
   */
  #noToken(at: number): void {
    for (let i = 0; i < 3; i++) this.push(Kind.NAME, at, at, 0);
    this.tokens.push(TokenKind.ERROR, at, at, this.line, 0, 0);
    this.failure = { message: TokenFailure.UNEXPECTED_EOF, offset: at };
  }

  #finish(at: number): void {
    if (this.depth !== 0) throw new TokenError(TokenFailure.UNEXPECTED_EOF);
    this.#blocks.closeAll(at);
    this.push(Kind.ENDMARKER, at, at, 0);
  }
}

function openingKind(code: number): number {
  return code === 40 ? Kind.LPAR : code === 91 ? Kind.LSQB : Kind.LBRACE;
}
