/** Plain strings and the prefixes of all strings (pytokens: string, string_prefix_and_quotes). */
import { TextFlag } from "../syntax/tree.ts";
import { TokenError, TokenFailure } from "./token-error.ts";

const NEWLINE = 10;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const BACKSLASH = 92;

/** Where the quotes of a string that starts at `at` begin; -1 when a name starts there. */
export function quoteAfterPrefix(codes: Uint8Array, at: number): number {
  const second = codes[at + 1]!;
  if (second === DOUBLE_QUOTE || second === SINGLE_QUOTE) {
    return isPrefixLetter(codes[at]! | 32) ? at + 1 : -1;
  }
  const third = codes[at + 2]!;
  if (third !== DOUBLE_QUOTE && third !== SINGLE_QUOTE) return -1;
  return isLetterPair(codes[at]! | 32, second | 32) ? at + 2 : -1;
}

/** `b`, `f`, `r`, `t` or `u`. */
function isPrefixLetter(lower: number): boolean {
  return lower === 98 || lower === 102 || lower === 114 || lower === 116 || lower === 117;
}

/** `r` with `b`, `f` or `t`, in either order. */
function isLetterPair(first: number, second: number): boolean {
  if (first === 114) return second === 98 || second === 102 || second === 116;
  return second === 114 && (first === 98 || first === 102 || first === 116);
}

/** Whether the prefix is one of an f-string or t-string. */
export function isInterpolated(codes: Uint8Array, start: number, quote: number): boolean {
  for (let at = start; at < quote; at++) {
    const lower = codes[at]! | 32;
    if (lower === 102 || lower === 116) return true;
  }
  return false;
}

/** Whether the string whose first quote is at `quote` has triple quotes. */
export function isTriple(codes: Uint8Array, quote: number): boolean {
  const code = codes[quote]!;
  return codes[quote + 1]! === code && codes[quote + 2]! === code;
}

/** Whether the closing quotes stand at `at`. */
export function isQuoteAt(codes: Uint8Array, at: number, code: number, triple: boolean): boolean {
  if (codes[at]! !== code) return false;
  return !triple || (codes[at + 1]! === code && codes[at + 2]! === code);
}

/** What `scanString` saw within the string. */
export const stringFacts = { textFlags: 0, lineBreaks: 0 };

/** The end of the plain string whose first quote is at `quote`; fills `stringFacts`. `end`: the source's length. */
export function scanString(codes: Uint8Array, quote: number, end: number): number {
  const code = codes[quote]!;
  const triple = isTriple(codes, quote);
  let at = quote + (triple ? 3 : 1);
  let seen = 0;
  let lineBreaks = 0;
  let flags = 0;
  while (at < end) {
    let c = codes[at]!;
    if (c === code && isQuoteAt(codes, at, code, triple)) {
      stringFacts.textFlags =
        flags | (seen > 127 ? TextFlag.NON_ASCII : 0) | (lineBreaks > 0 ? TextFlag.MULTILINE : 0);
      stringFacts.lineBreaks = lineBreaks;
      return at + (triple ? 3 : 1);
    }
    if (c === BACKSLASH) {
      flags = TextFlag.BACKSLASH;
      c = codes[++at]!;
      if (c === NEWLINE) lineBreaks++;
    } else if (c === NEWLINE) {
      if (!triple) throw new TokenError(TokenFailure.UNTERMINATED_STRING);
      lineBreaks++;
    }
    seen |= c;
    at++;
  }
  throw new TokenError(TokenFailure.UNEXPECTED_EOF);
}
