/** F-strings that come out as they went in. */
import { Feature } from "../../../mode/target-version.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses } from "./code-classes.ts";
import { readName } from "./names.ts";
import { skipDigits } from "./numbers.ts";
import { isText, type Reader } from "./reader.ts";

const SPACE = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const LPAR = 40;
const RPAR = 41;
const COMMA = 44;
const DOT = 46;
const COLON = 58;
const LSQB = 91;
const BACKSLASH = 92;
const RSQB = 93;
const LBRACE = 123;
const RBRACE = 125;

/** The rest of an f-string whose fields hold nothing but names with attributes, calls and indices. */
export function readInterpolation(r: Reader, start: number): number {
  const { codes } = r;
  r.features |= Feature.F_STRINGS;
  let at = start;
  for (;;) {
    const code = codes[at]!;
    if (code === DOUBLE_QUOTE) return at + 1;
    if (code === BACKSLASH || !isText(r, code)) return -1;
    at++;
    if (code !== LBRACE) continue;
    if (codes[at] === LBRACE) at++;
    else {
      at = readField(r, at);
      if (at === -1) return -1;
    }
  }
}

/** A replacement field from behind its brace up to and with the closing one. */
function readField(r: Reader, start: number): number {
  const { codes } = r;
  let at = readOperand(r, start);
  if (at === -1) return -1;
  if (codes[at] === BANG) {
    if (codeClasses[codes[at + 1]!] !== CodeClass.NAME) return -1;
    at += 2;
  }
  if (codes[at] === COLON) {
    at = readSpec(r, at + 1);
    if (at === -1) return -1;
  }
  return codes[at] === RBRACE ? at + 1 : -1;
}

/** A name with any attributes, calls and indices. */
function readOperand(r: Reader, start: number): number {
  const { codes } = r;
  let at = readName(r, start);
  for (;;) {
    if (at === -1) return -1;
    if (codes[at] === DOT) at = readName(r, at + 1);
    else if (codes[at] === LPAR) at = readArguments(r, at + 1);
    else if (codes[at] === LSQB) {
      at = readArgument(r, at + 1);
      if (at === -1 || codes[at] !== RSQB) return -1;
      at++;
    } else return at;
  }
}

/** Arguments, none of them given by name, up to and with the closing parenthesis. */
function readArguments(r: Reader, start: number): number {
  const { codes } = r;
  if (codes[start] === RPAR) return start + 1;
  let at = start;
  for (;;) {
    at = readArgument(r, at);
    if (at === -1) return -1;
    if (codes[at] === RPAR) return at + 1;
    if (codes[at] !== COMMA || codes[at + 1] !== SPACE) return -1;
    at += 2;
  }
}

function readArgument(r: Reader, start: number): number {
  const { codes } = r;
  if (codes[start] === SINGLE_QUOTE) return readNestedString(codes, start + 1);
  return codeClasses[codes[start]!] === CodeClass.DIGIT ? skipDigits(codes, start) : readOperand(r, start);
}

/** A string in single quotes, not empty, without what has a meaning to the string around it. */
function readNestedString(codes: Uint8Array, start: number): number {
  let at = start;
  while (isSpecText(codes[at]!)) at++;
  return at > start && codes[at] === SINGLE_QUOTE ? at + 1 : -1;
}

/** A format spec, which may have fields of its own. */
function readSpec(r: Reader, start: number): number {
  const { codes } = r;
  let at = start;
  for (;;) {
    if (codes[at] === LBRACE) {
      at = readField(r, at + 1);
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
