/** Numbers that come out as they went in. */
import { Feature } from "../../../mode/target-version.ts";
import { scanNumber } from "../../../tokenize/numbers.ts";
import * as Before from "./before.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses, nameCodes } from "./code-classes.ts";
import * as Level from "./level.ts";
import { type Reader, takesOperand } from "./reader.ts";

const DOT = 46;
const ZERO = 48;
const UNDERSCORE = 95;
const LETTER_E = 101;
const LETTER_J = 106;

export function readNumber(r: Reader, start: number, gap: number): number {
  const { codes } = r;
  if (!takesOperand(r, gap) || (r.level & Level.NO_VALUE) !== 0) return -1;
  let at = skipDigits(codes, start);
  if (codes[at] === DOT) {
    const fraction = at + 1;
    at = skipDigits(codes, fraction);
    if (at === fraction) return -1;
  }
  if (nameCodes[codes[at]!] === 1) at = endOfSpecial(r, start);
  if (at === -1) return -1;
  const next = codes[at]!;
  if (nameCodes[next] === 1 || next === DOT || next > 127) return -1;
  r.before = Before.NUMBER;
  return at;
}

/** Where the digits from `start` on end. */
export function skipDigits(codes: Uint8Array, start: number): number {
  let at = start;
  while (codeClasses[codes[at]!] === CodeClass.DIGIT) at++;
  return at;
}

/** The end of a number with letters or underscores in it, if it is normalised (Black: `normalize_numeric_literal`). */
function endOfSpecial(r: Reader, start: number): number {
  const { codes } = r;
  const end = scanNumber(codes, start);
  for (let at = start; at < end; at++) {
    if (codes[at] === UNDERSCORE) r.features |= Feature.NUMERIC_UNDERSCORES;
  }
  const isNormal = codes[start] === ZERO && isRadix(codes[start + 1]!) ? isNormalRadix : isNormalDecimal;
  return isNormal(codes, start, end) ? end : -1;
}

function isRadix(code: number): boolean {
  const lower = code | 32;
  return lower === 120 || lower === 98 || lower === 111;
}

/** A small `x`, `b` or `o`, and no small letters behind it. */
function isNormalRadix(codes: Uint8Array, start: number, end: number): boolean {
  if (codes[start + 1]! < 97) return false;
  for (let at = start + 2; at < end; at++) if (codes[at]! > UNDERSCORE) return false;
  return true;
}

/** Small letters, a digit on both sides of the point, no sign but a minus. */
function isNormalDecimal(codes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = codes[at]!;
    if (
      codeClasses[code] === CodeClass.DIGIT ||
      code === UNDERSCORE ||
      code === LETTER_E ||
      code === LETTER_J
    )
      continue;
    if (code === DOT && codeClasses[codes[at + 1]!] === CodeClass.DIGIT) continue;
    if (code !== 45) return false;
  }
  return true;
}
