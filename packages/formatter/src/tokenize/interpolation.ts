/** F-strings and t-strings: their text, replacement fields and format specs (pytokens: fstring, FStringState). */
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { isQuoteAt, isTriple } from "./strings.ts";
import { TokenError, TokenFailure } from "./token-error.ts";
import type { Tokenizer } from "./tokenizer.ts";

const NEWLINE = 10;
const BACKSLASH = 92;
const LBRACE = 123;
const RBRACE = 125;

/** How the parts of an f-string are told apart that are not its expressions. */
export interface TextScanner {
  /** Text up to the next replacement field or the closing quotes. */
  text(tokenizer: Tokenizer, start: number): number;
  /**
   * Text of a format spec up to a nested field or the end of its field.
   *
   * @param isResumed whether a nested field precedes it
   */
  spec(tokenizer: Tokenizer, start: number, isResumed: boolean): number;
}

/** As pytokens, and so Black's parser, tells them apart. */
export const laxScanner: TextScanner = { text: scanText, spec: scanSpec };

/** The f-strings that are open, and their open replacement fields. */
export class InterpolationStack {
  /** Open replacement fields of all open strings. */
  fields = 0;
  quote = 0;
  triple = false;
  raw = false;
  readonly #outer: { quote: number; triple: boolean; raw: boolean }[] = [];
  readonly #fieldDepths: number[] = [];
  readonly #fieldsInSpec: boolean[] = [];

  open(quote: number, triple: boolean, raw: boolean): void {
    this.#outer.push({ quote: this.quote, triple: this.triple, raw: this.raw });
    this.quote = quote;
    this.triple = triple;
    this.raw = raw;
  }

  close(): void {
    const outer = this.#outer.pop()!;
    this.quote = outer.quote;
    this.triple = outer.triple;
    this.raw = outer.raw;
  }

  /** Remembers the bracket depth outside the field, and whether the field stands in a format spec. */
  openField(depth: number, inSpec: boolean): void {
    this.#fieldDepths.push(depth);
    this.#fieldsInSpec.push(inSpec);
    this.fields++;
  }

  /** Bracket depth outside the innermost field. */
  fieldDepth(): number {
    return this.#fieldDepths[this.fields - 1]!;
  }

  /** Ends the innermost field; true when a format spec goes on behind it. */
  closeField(): boolean {
    this.fields--;
    this.#fieldDepths.pop();
    return this.#fieldsInSpec.pop()!;
  }
}

/** Begins the string at `start` whose first quote is at `quote`; returns where its first field or its end leads. */
export function startInterpolated(tokenizer: Tokenizer, start: number, quote: number): number {
  const { codes, tokens } = tokenizer;
  let raw = false;
  let template = false;
  for (let at = start; at < quote; at++) {
    const code = codes[at]!;
    if ((code | 32) === 114) raw = true;
    else if (code === 116) template = true; // only the small letter: pytokens takes `T"..."` for an f-string
  }
  tokens.features |= template ? Feature.T_STRINGS : Feature.F_STRINGS;
  const triple = isTriple(codes, quote);
  const textStart = quote + (triple ? 3 : 1);
  tokenizer.strings.open(codes[quote]!, triple, raw);
  tokenizer.push(Kind.FSTRING_START, start, textStart, 0);
  return tokenizer.scanner.text(tokenizer, textStart);
}

function scanText(tokenizer: Tokenizer, start: number): number {
  const { codes, end, strings } = tokenizer;
  const { quote, triple, raw } = strings;
  let line = tokenizer.line;
  let at = start;
  while (at < end) {
    const code = codes[at]!;
    if (code === NEWLINE) {
      if (!triple) throw new TokenError(TokenFailure.UNTERMINATED_STRING);
      line++;
      at++;
    } else if (code === BACKSLASH) {
      at++;
      if (!raw && codes[at]! === 78 && codes[at + 1]! === LBRACE) at += 2;
      const escaped = codes[at]!;
      if (escaped === LBRACE || escaped === RBRACE) continue;
      if (escaped === NEWLINE) line++;
      at++;
    } else if (code === LBRACE) {
      if (codes[at + 1]! === LBRACE) {
        at += 2;
        continue;
      }
      pushText(tokenizer, start, at, line);
      return openField(tokenizer, at, false);
    } else if (code === quote && isQuoteAt(codes, at, quote, triple)) {
      pushText(tokenizer, start, at, line);
      return closeString(tokenizer, at);
    } else at++;
  }
  throw new TokenError(TokenFailure.UNEXPECTED_EOF);
}

/** Ends the innermost string, whose closing quotes are at `at`. */
export function closeString(tokenizer: Tokenizer, at: number): number {
  const end = at + (tokenizer.strings.triple ? 3 : 1);
  tokenizer.push(Kind.FSTRING_END, at, end, 0);
  tokenizer.strings.close();
  return end;
}

function scanSpec(tokenizer: Tokenizer, start: number): number {
  const { codes, end } = tokenizer;
  const { triple } = tokenizer.strings;
  let line = tokenizer.line;
  let at = start;
  while (at < end) {
    const code = codes[at]!;
    if (code === RBRACE) {
      tokenizer.push(Kind.FSTRING_MIDDLE, start, at, 0);
      tokenizer.line = line;
      return at;
    }
    // Within triple quotes pytokens takes a nested field for text of the spec.
    if (!triple && (code === LBRACE || code === NEWLINE)) {
      // pytokens mistakes a line break right at the start of a spec for the prefix of another string.
      if (code === NEWLINE && at === start) {
        tokenizer.push(Kind.FSTRING_START, at, at + 1, 0);
        throw new TokenError(TokenFailure.UNTERMINATED_STRING);
      }
      pushText(tokenizer, start, at, line);
      return code === LBRACE ? openField(tokenizer, at, true) : at;
    }
    if (code === NEWLINE) line++;
    at++;
  }
  throw new TokenError(TokenFailure.UNEXPECTED_EOF);
}

/** Adds the text before `at` as a token, if there is any; `line` is that of `at`. */
export function pushText(tokenizer: Tokenizer, start: number, at: number, line: number): void {
  if (at > start) tokenizer.push(Kind.FSTRING_MIDDLE, start, at, 0);
  tokenizer.line = line;
}

/** Begins the replacement field whose brace is at `at`. */
export function openField(tokenizer: Tokenizer, at: number, inSpec: boolean): number {
  tokenizer.push(Kind.LBRACE, at, at + 1, 0);
  tokenizer.strings.openField(tokenizer.depth, inSpec);
  tokenizer.depth = 0;
  return at + 1;
}
