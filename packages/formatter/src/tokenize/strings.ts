/** Plain strings and the prefixes of all strings (pytokens: string, string_prefix_and_quotes). */
import { TextFlag } from "../syntax/tree.ts";
import { TokenError, TokenFailure } from "./token-error.ts";

const NEWLINE = 10;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const BACKSLASH = 92;

/** Where the quotes of a string that starts at `at` begin; -1 when a name starts there. */
export function quoteAfterPrefix(source: string, at: number): number {
  const second = source.charCodeAt(at + 1);
  if (second === DOUBLE_QUOTE || second === SINGLE_QUOTE) {
    return isPrefixLetter(source.charCodeAt(at) | 32) ? at + 1 : -1;
  }
  const third = source.charCodeAt(at + 2);
  if (third !== DOUBLE_QUOTE && third !== SINGLE_QUOTE) return -1;
  return isLetterPair(source.charCodeAt(at) | 32, second | 32) ? at + 2 : -1;
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
export function isInterpolated(source: string, start: number, quote: number): boolean {
  for (let at = start; at < quote; at++) {
    const lower = source.charCodeAt(at) | 32;
    if (lower === 102 || lower === 116) return true;
  }
  return false;
}

/** Whether the string whose first quote is at `quote` has triple quotes. */
export function isTriple(source: string, quote: number): boolean {
  const code = source.charCodeAt(quote);
  return source.charCodeAt(quote + 1) === code && source.charCodeAt(quote + 2) === code;
}

/** Whether the closing quotes stand at `at`. */
export function isQuoteAt(source: string, at: number, code: number, triple: boolean): boolean {
  if (source.charCodeAt(at) !== code) return false;
  return !triple || (source.charCodeAt(at + 1) === code && source.charCodeAt(at + 2) === code);
}

/** What `scanString` saw within the string. */
export const stringFacts = { textFlags: 0, lineBreaks: 0 };

/** The end of the plain string whose first quote is at `quote`; fills `stringFacts`. `end`: the source's length. */
export function scanString(source: string, quote: number, end: number): number {
  const code = source.charCodeAt(quote);
  const triple = isTriple(source, quote);
  let at = quote + (triple ? 3 : 1);
  let seen = 0;
  let lineBreaks = 0;
  let flags = 0;
  while (at < end) {
    let c = source.charCodeAt(at);
    if (c === code && isQuoteAt(source, at, code, triple)) {
      stringFacts.textFlags =
        flags | (seen > 127 ? TextFlag.NON_ASCII : 0) | (lineBreaks > 0 ? TextFlag.MULTILINE : 0);
      stringFacts.lineBreaks = lineBreaks;
      return at + (triple ? 3 : 1);
    }
    if (c === BACKSLASH) {
      flags = TextFlag.BACKSLASH;
      c = source.charCodeAt(++at);
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
