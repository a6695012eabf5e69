/** String literals that come out as they went in: most have double quotes and at most a small `b`, `r` or `f`. */
import { Feature } from "../../../mode/target-version.ts";
import { Kind } from "../../../syntax/kinds.ts";
import { nameKind } from "../../../tokenize/keywords.ts";
import { Priority } from "../../delimiters.ts";
import * as Before from "./before.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses, nameCodes } from "./code-classes.ts";
import * as Level from "./level.ts";
import { BREAK, type Reader, takesOperand } from "./reader.ts";

const LF = 10;
const SPACE = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const DOT = 46;
const COLON = 58;
const BACKSLASH = 92;
const LBRACE = 123;
const RBRACE = 125;

/** A string whose prefix is at `start` and whose quote is at `quote`. */
export function readString(r: Reader, start: number, quote: number, gap: number): number {
  const { codes } = r;
  if (r.before === Before.STRING) {
    if (gap !== 1 && gap !== BREAK) return -1;
    r.noteDelimiter(gap, Priority.STRING);
  } else if (!takesOperand(r, gap)) return -1;
  if (r.isSlice || (r.level & (Level.HEAD | Level.DONE)) !== 0) return -1;
  if (quote - start > 1) return -1;
  const prefix = quote === start ? 0 : codes[start]!;
  r.isSimple = false;
  r.before = Before.STRING;
  if (codes[quote] === SINGLE_QUOTE) return prefix === 0 ? endOfSingleQuoted(codes, quote + 1) : -1;
  if (codes[quote + 1] === DOUBLE_QUOTE && codes[quote + 2] === DOUBLE_QUOTE) {
    return prefix === 0 && r.depth === 0 ? endOfTripleQuoted(r, quote + 3) : -1;
  }
  if (prefix === 102) return readInterpolation(r, quote + 1);
  if (prefix === 114) return endOfRaw(codes, quote + 1);
  return prefix === 0 || prefix === 98 ? endOfText(codes, quote + 1) : -1;
}

/** The end of a string in single quotes that has double ones inside and no backslash: it would need some. */
function endOfSingleQuoted(codes: Uint8Array, start: number): number {
  let at = start;
  let hasQuote = false;
  for (;;) {
    const code = codes[at]!;
    if (code === SINGLE_QUOTE) return hasQuote ? at + 1 : -1;
    if (code < SPACE || code > 126 || code === BACKSLASH) return -1;
    if (code === DOUBLE_QUOTE) hasQuote = true;
    at++;
  }
}

/** The end of a raw string, where a backslash keeps a quote from ending it and means nothing else. */
function endOfRaw(codes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    let code = codes[at]!;
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code === BACKSLASH) code = codes[++at]!;
    if (code < SPACE || code > 126) return -1;
    at++;
  }
}

/**
 * The end of a string without backslashes that is the last of a statement without brackets, so that nothing can be
 * split however many lines it has.
 */
function endOfTripleQuoted(r: Reader, start: number): number {
  const { codes, source } = r;
  if (r.brackets > 0 || r.isHeader) return -1;
  const end = source.indexOf('"""', start);
  if (end === -1 || codes[end + 3] !== LF) return -1;
  for (let at = start; at < end; at++) {
    const code = codes[at]!;
    if (code === BACKSLASH || code > 126 || code === 0) return -1;
    if (code !== LF) continue;
    r.lineBreaks++;
    r.split.lineStart = at + 1;
  }
  return end + 3;
}

/** The end of a string without escapes that are normalised: those of quotes, names, and digits in upper case. */
function endOfText(codes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    const code = codes[at]!;
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code === LF || code > 126 || code === 0) return -1;
    if (code === BACKSLASH) {
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

/** The rest of an f-string whose fields hold nothing but names and attributes. */
function readInterpolation(r: Reader, start: number): number {
  const { codes } = r;
  r.features |= Feature.F_STRINGS;
  let at = start;
  for (;;) {
    const code = codes[at]!;
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code < SPACE || code > 126 || code === BACKSLASH) return -1;
    at++;
    if (code !== LBRACE) continue;
    if (codes[at] === LBRACE) at++;
    else {
      at = readField(codes, at);
      if (at === -1) return -1;
    }
  }
}

/** A replacement field from behind its brace up to and with the closing one. */
function readField(codes: Uint8Array, start: number): number {
  let at = start - 1;
  do {
    const name = at + 1;
    if (codeClasses[codes[name]!] !== CodeClass.NAME) return -1;
    at = name + 1;
    while (nameCodes[codes[at]!] === 1) at++;
    const kind = nameKind(codes, name, at);
    if (kind !== Kind.NAME && kind < Kind.KW_NONE) return -1;
  } while (codes[at] === DOT);
  if (codes[at] === BANG) {
    if (codeClasses[codes[at + 1]!] !== CodeClass.NAME) return -1;
    at += 2;
  }
  if (codes[at] === COLON) {
    at = readSpec(codes, at + 1);
    if (at === -1) return -1;
  }
  return codes[at] === RBRACE ? at + 1 : -1;
}

/** A format spec, which may have fields of its own. */
function readSpec(codes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    if (codes[at] === LBRACE) {
      at = readField(codes, at + 1);
      if (at === -1) return -1;
    } else if (isSpecText(codes[at]!)) at++;
    else return at;
  }
}

function isSpecText(code: number): boolean {
  if (code < SPACE || code > 126) return false;
  return (
    code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE && code !== LBRACE && code !== RBRACE && code !== BACKSLASH
  );
}
