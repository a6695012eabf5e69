/** Numbers as blib2to3 cuts them out (pytokens: decimal, binary, octal, hexadecimal): laxer than Python. */
import { isDigit } from "./character-class.ts";

const UNDERSCORE = 95;
const DOT = 46;

/** The end of the number at `start`, which is a digit or a dot; `start + 1` for a dot that is no number. */
export function scanNumber(codes: Uint8Array, start: number): number {
  if (codes[start]! === 48) {
    const radix = codes[start + 1]! | 32;
    if (radix === 120) return scanHexadecimal(codes, start + 2);
    if (radix === 98) return scanSmallRadix(codes, start + 2, 49);
    if (radix === 111) return scanSmallRadix(codes, start + 2, 55);
  }
  return scanDecimal(codes, start);
}

function scanDecimal(codes: Uint8Array, start: number): number {
  const startsWithDigit = isDigit(codes[start]!);
  let at = startsWithDigit ? start + 1 : start;
  while (isDigit(codes[at]!) || codes[at]! === UNDERSCORE) at++;
  if (codes[at]! === DOT) at++;
  while (isDigitOr(codes, at, isDigit(codes[at - 1]!))) at++;
  if (startsWithDigit || isDigit(codes[at - 1]!)) {
    if ((codes[at]! | 32) === 101 && hasExponentDigit(codes, at + 1)) at += 2;
  }
  while (isDigitOr(codes, at, startsWithDigit || isDigit(codes[at - 1]!))) at++;
  if (startsWithDigit || isDigit(codes[at - 1]!)) {
    if ((codes[at]! | 32) === 106) at++;
  }
  return at;
}

function isDigitOr(codes: Uint8Array, at: number, allowUnderscore: boolean): boolean {
  const code = codes[at]!;
  return isDigit(code) || (code === UNDERSCORE && allowUnderscore);
}

function hasExponentDigit(codes: Uint8Array, at: number): boolean {
  const code = codes[at]!;
  return isDigit(code) || ((code === 43 || code === 45) && isDigit(codes[at + 1]!));
}

function scanHexadecimal(codes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    const code = codes[at]!;
    const lower = code | 32;
    if (!isDigit(code) && code !== UNDERSCORE && (lower < 97 || lower > 102)) return at;
    at++;
  }
}

/** Binary and octal, which may go on after `e` or `e-`. */
function scanSmallRadix(codes: Uint8Array, start: number, highestDigit: number): number {
  let at = skipRadixDigits(codes, start, highestDigit);
  if ((codes[at]! | 32) === 101) {
    at++;
    if (codes[at]! === 45) at++;
  }
  return skipRadixDigits(codes, at, highestDigit);
}

function skipRadixDigits(codes: Uint8Array, start: number, highestDigit: number): number {
  let at = start;
  for (;;) {
    const code = codes[at]!;
    if (code !== UNDERSCORE && (code < 48 || code > highestDigit)) return at;
    at++;
  }
}

/** Whether the number has an underscore between its digits. */
export function hasUnderscore(codes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (codes[at]! === UNDERSCORE) return true;
  return false;
}
