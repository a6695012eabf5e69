/**
 * The text of f-strings and t-strings as CPython cuts it (`Parser/lexer/lexer.c` tok_get_fstring_mode): pytokens lets
 * braces and quotes pass that it does not, and sees no fields in a format spec between triple quotes.
 */
import { Kind } from "../syntax/kinds.ts";
import { closeString, openField, pushText, type TextScanner } from "./interpolation.ts";
import { isQuoteAt } from "./strings.ts";
import { TokenError } from "./token-error.ts";
import type { Tokenizer } from "./tokenizer.ts";

const NEWLINE = 10;
const BACKSLASH = 92;
const LBRACE = 123;
const RBRACE = 125;
const CAPITAL_N = 78;

/** As CPython tells texts and fields apart. */
export const strictScanner: TextScanner = { text: scanText, spec: scanSpec };

/** What of a backslash escape a scan goes past. */
const passed = { end: 0, isName: false };

/** Reads the escape at `at`: a brace behind it may open a field, but for the one of a character's name. */
function readEscape({ codes, strings }: Tokenizer, at: number): void {
  const next = codes[at + 1]!;
  passed.isName = !strings.raw && next === CAPITAL_N && codes[at + 2]! === LBRACE;
  if (passed.isName) passed.end = at + 3;
  else passed.end = next === LBRACE || next === RBRACE ? at + 1 : at + 2;
}

function scanText(tokenizer: Tokenizer, start: number): number {
  const { codes, end, strings } = tokenizer;
  const { quote, triple } = strings;
  let line = tokenizer.line;
  let isName = false;
  for (let at = start; at < end; ) {
    const code = codes[at]!;
    if (code === BACKSLASH) {
      readEscape(tokenizer, at);
      if (codes[at + 1]! === NEWLINE) line++;
      at = passed.end;
      isName ||= passed.isName;
    } else if (code === LBRACE) {
      if (codes[at + 1]! !== LBRACE) {
        pushText(tokenizer, start, at, line);
        return openField(tokenizer, at, false);
      }
      at += 2;
    } else if (code === RBRACE) {
      if (isName) at++;
      else if (codes[at + 1]! === RBRACE) at += 2;
      else fail(tokenizer, at, line, "single '}' is not allowed");
      isName = false;
    } else if (code === quote && isQuoteAt(codes, at, quote, triple)) {
      pushText(tokenizer, start, at, line);
      return closeString(tokenizer, at);
    } else {
      // Only behind `\N{` the first reading lets one pass.
      if (code === NEWLINE && !triple) fail(tokenizer, at, line, "unterminated string");
      if (code === NEWLINE) line++;
      at++;
    }
  }
  return fail(tokenizer, end, line, "unterminated string");
}

function scanSpec(tokenizer: Tokenizer, start: number, isResumed: boolean): number {
  const { codes, end, strings } = tokenizer;
  const { quote, triple } = strings;
  let line = tokenizer.line;
  let isName = false;
  for (let at = start; at < end; ) {
    const code = codes[at]!;
    if (code === BACKSLASH) {
      readEscape(tokenizer, at);
      if (codes[at + 1]! === NEWLINE) line++;
      at = passed.end;
      isName ||= passed.isName;
    } else if (code === LBRACE) {
      // Behind a nested field CPython no longer knows that it is in a spec.
      if (!isResumed || codes[at + 1]! !== LBRACE) {
        pushText(tokenizer, start, at, line);
        return openField(tokenizer, at, true);
      }
      at += 2;
    } else if (code === RBRACE) {
      if (!isName) {
        tokenizer.push(Kind.FSTRING_MIDDLE, start, at, 0);
        tokenizer.line = line;
        return at;
      }
      isName = false;
      at++;
    } else if (code === quote && isQuoteAt(codes, at, quote, triple))
      fail(tokenizer, at, line, "expecting '}', or format specs");
    else if (code === NEWLINE && !triple) {
      if (isResumed) fail(tokenizer, at, line, "unterminated string");
      pushText(tokenizer, start, at, line);
      return at;
    } else {
      if (code === NEWLINE) line++;
      at++;
    }
  }
  return fail(tokenizer, end, line, "unterminated string");
}

function fail(tokenizer: Tokenizer, at: number, line: number, message: string): never {
  tokenizer.rawStart = at;
  tokenizer.line = line;
  throw new TokenError(message);
}
