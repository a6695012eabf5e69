/** String literals that come out as they went in: double quotes on one line, with at most a small `b`, `r` or `f`. */
import { Feature } from "../../../mode/target-version.ts";
import { Kind } from "../../../syntax/kinds.ts";
import { nameKind } from "../../../tokenize/keywords.ts";
import * as Before from "./before.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses, nameCodes } from "./code-classes.ts";
import * as Level from "./level.ts";
import { type Reader, takesOperand } from "./reader.ts";

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
    if (gap !== 1) return -1;
    if (r.depth === r.split.base) r.split.isPlain = false;
  } else if (!takesOperand(r, gap)) return -1;
  if (r.isSlice || (r.level & (Level.HEAD | Level.DONE)) !== 0) return -1;
  if (codes[quote] !== DOUBLE_QUOTE || quote - start > 1) return -1;
  if (codes[quote + 1] === DOUBLE_QUOTE && codes[quote + 2] === DOUBLE_QUOTE) return -1;
  const prefix = quote === start ? 0 : codes[start]!;
  r.isSimple = false;
  r.before = Before.STRING;
  if (prefix === 102) return readInterpolation(r, quote + 1);
  return prefix === 0 || prefix === 98 || prefix === 114 ? endOfText(codes, quote + 1) : -1;
}

/** The end of a string without quotes of the other kind where it has backslashes, nor escapes that are normalised. */
function endOfText(codes: Uint8Array, start: number): number {
  let at = start;
  let hasBackslash = false;
  let hasQuote = false;
  for (;;) {
    const code = codes[at]!;
    if (code === DOUBLE_QUOTE) return hasBackslash && hasQuote ? -1 : at + 1;
    if (code === LF || code > 126 || code === 0) return -1;
    if (code === SINGLE_QUOTE) hasQuote = true;
    else if (code === BACKSLASH) {
      hasBackslash = true;
      if (!isPlainEscape(codes[at + 1]!)) return -1;
      // Of two backslashes the second counts as one before what follows as well.
      if (codes[at + 1] === BACKSLASH) {
        at++;
        if (!isPlainEscape(codes[at + 1]!) && codes[at + 1] !== DOUBLE_QUOTE) return -1;
      }
    }
    at++;
  }
}

function isPlainEscape(code: number): boolean {
  switch (code) {
    case LF:
    case DOUBLE_QUOTE:
    case SINGLE_QUOTE:
    case 78: // N
    case 85: // U
    case 117: // u
    case 120: // x
      return false;
    default:
      return true;
  }
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
