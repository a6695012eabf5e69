/** String literals that come out as they went in: most have double quotes and at most a small `b`, `r` or `f`. */
import { stringWidth } from "../../../util/width.ts";
import { Priority } from "../../delimiters.ts";
import * as Before from "./before.ts";
import { readInterpolation } from "./interpolation.ts";
import * as Level from "./level.ts";
import { BREAK, isText, type Reader, takesOperand } from "./reader.ts";

const LF = 10;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const BACKSLASH = 92;

/** A string whose prefix is at `start` and whose quote is at `quote`. */
export function readString(r: Reader, start: number, quote: number, gap: number): number {
  if (r.before === Before.STRING) {
    if (gap !== 1 && gap !== BREAK) return -1;
    r.noteDelimiter(gap, Priority.STRING);
  } else if (!takesOperand(r, gap)) return -1;
  if (r.isSlice || (r.level & Level.NO_VALUE) !== 0) return -1;
  if (quote - start > 1) return -1;
  r.isSimple = false;
  r.before = Before.STRING;
  r.isWide = false;
  const end = endOfString(r, start, quote);
  if (end !== -1 && r.isWide) r.split.noteExcess(stringWidth(r.source.slice(start, end)) - (end - start));
  return end;
}

function endOfString(r: Reader, start: number, quote: number): number {
  const { codes } = r;
  const prefix = quote === start ? 0 : codes[start]!;
  if (codes[quote] === SINGLE_QUOTE) return prefix === 0 ? endOfSingleQuoted(r, quote + 1) : -1;
  if (codes[quote + 1] === DOUBLE_QUOTE && codes[quote + 2] === DOUBLE_QUOTE) {
    return prefix === 0 && r.depth === 0 ? endOfTripleQuoted(r, quote + 3) : -1;
  }
  if (prefix === 102) return readInterpolation(r, quote + 1);
  if (prefix === 114) return endOfRaw(r, quote + 1);
  return prefix === 0 || prefix === 98 ? endOfText(r, quote + 1) : -1;
}

/** The end of a string in single quotes that has double ones inside and no backslash: it would need some. */
function endOfSingleQuoted(r: Reader, start: number): number {
  const { codes } = r;
  let at = start;
  let hasQuote = false;
  for (;;) {
    const code = codes[at]!;
    if (code === SINGLE_QUOTE) return hasQuote ? at + 1 : -1;
    if (code === BACKSLASH || !isText(r, code)) return -1;
    if (code === DOUBLE_QUOTE) hasQuote = true;
    at++;
  }
}

/** The end of a raw string, where a backslash keeps a quote from ending it and means nothing else. */
function endOfRaw(r: Reader, start: number): number {
  const { codes } = r;
  let at = start;
  for (;;) {
    let code = codes[at]!;
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code === BACKSLASH) code = codes[++at]!;
    if (!isText(r, code)) return -1;
    at++;
  }
}

/**
 * The end of a string without backslashes that is all that a statement without brackets assigns to one target or
 * returns, so that nothing can be split however many lines it has. Several names as the target are split where the
 * first or last line is too long.
 */
function endOfTripleQuoted(r: Reader, start: number): number {
  const { codes, source } = r;
  if (r.brackets > 0 || r.isHeader || !r.split.isPlain) return -1;
  const quotes = start - 3;
  if (!source.startsWith(" = ", quotes - 3) && !source.startsWith("return ", quotes - 7)) return -1;
  const end = source.indexOf('"""', start);
  if (end === -1 || codes[end + 3] !== LF) return -1;
  for (let at = start; at < end; at++) {
    const code = codes[at]!;
    if (code === BACKSLASH || code === 0) return -1;
    if (code > 126) {
      if (r.lineBreaks === 0) return -1;
      r.isWide = true;
    }
    if (code !== LF) continue;
    if (r.lineBreaks === 0 && !r.split.mayEndLine(at)) return -1;
    r.lineBreaks++;
    r.split.lineStart = at + 1;
  }
  return end + 3;
}

/** The end of a string without escapes that are normalised: those of quotes, names, and digits in upper case. */
function endOfText(r: Reader, start: number): number {
  const { codes } = r;
  let at = start;
  for (;;) {
    const code = codes[at]!;
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code > 126 || code === LF || code === 0) {
      if (!isText(r, code)) return -1;
    } else if (code === BACKSLASH) {
      at++;
      if (!isPlainEscape(codes, at)) return -1;
      // Of two backslashes the second counts as one before what follows as well.
      if (codes[at] === BACKSLASH && codes[at + 1] !== DOUBLE_QUOTE && !isPlainEscape(codes, at + 1))
        return -1;
    }
    at++;
  }
}

/** Whether the escape with its letter at `at` stays as it is. */
function isPlainEscape(codes: Uint8Array, at: number): boolean {
  switch (codes[at]) {
    case LF:
    case DOUBLE_QUOTE:
    case SINGLE_QUOTE:
    case 78: // N
      return false;
    case 120: // x
      return hasNoUpperCase(codes, at + 1, 2);
    case 117: // u
      return hasNoUpperCase(codes, at + 1, 4);
    case 85: // U
      return hasNoUpperCase(codes, at + 1, 8);
    default:
      return true;
  }
}

function hasNoUpperCase(codes: Uint8Array, start: number, length: number): boolean {
  for (let at = start; at < start + length; at++) {
    const code = codes[at]!;
    if (code === LF || (code >= 65 && code <= 90)) return false;
  }
  return true;
}
