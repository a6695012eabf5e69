/** Numbers as blib2to3 cuts them out (pytokens: decimal, binary, octal, hexadecimal): laxer than Python. */
import { isDigit } from "./character-class.ts";

const UNDERSCORE = 95;
const DOT = 46;

/** The end of the number at `start`, which is a digit or a dot; `start + 1` for a dot that is no number. */
export function scanNumber(source: string, start: number): number {
  if (source.charCodeAt(start) === 48) {
    const radix = source.charCodeAt(start + 1) | 32;
    if (radix === 120) return scanHexadecimal(source, start + 2);
    if (radix === 98) return scanSmallRadix(source, start + 2, 49);
    if (radix === 111) return scanSmallRadix(source, start + 2, 55);
  }
  return scanDecimal(source, start);
}

function scanDecimal(source: string, start: number): number {
  const startsWithDigit = isDigit(source.charCodeAt(start));
  let at = startsWithDigit ? start + 1 : start;
  while (isDigit(source.charCodeAt(at)) || source.charCodeAt(at) === UNDERSCORE) at++;
  if (source.charCodeAt(at) === DOT) at++;
  while (isDigitOr(source, at, isDigit(source.charCodeAt(at - 1)))) at++;
  if (startsWithDigit || isDigit(source.charCodeAt(at - 1))) {
    if ((source.charCodeAt(at) | 32) === 101 && hasExponentDigit(source, at + 1)) at += 2;
  }
  while (isDigitOr(source, at, startsWithDigit || isDigit(source.charCodeAt(at - 1)))) at++;
  if (startsWithDigit || isDigit(source.charCodeAt(at - 1))) {
    if ((source.charCodeAt(at) | 32) === 106) at++;
  }
  return at;
}

function isDigitOr(source: string, at: number, allowUnderscore: boolean): boolean {
  const code = source.charCodeAt(at);
  return isDigit(code) || (code === UNDERSCORE && allowUnderscore);
}

function hasExponentDigit(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  return isDigit(code) || ((code === 43 || code === 45) && isDigit(source.charCodeAt(at + 1)));
}

function scanHexadecimal(source: string, start: number): number {
  let at = start;
  for (;;) {
    const code = source.charCodeAt(at);
    const lower = code | 32;
    if (!isDigit(code) && code !== UNDERSCORE && (lower < 97 || lower > 102)) return at;
    at++;
  }
}

/** Binary and octal, which may go on after `e` or `e-`. */
function scanSmallRadix(source: string, start: number, highestDigit: number): number {
  let at = skipRadixDigits(source, start, highestDigit);
  if ((source.charCodeAt(at) | 32) === 101) {
    at++;
    if (source.charCodeAt(at) === 45) at++;
  }
  return skipRadixDigits(source, at, highestDigit);
}

function skipRadixDigits(source: string, start: number, highestDigit: number): number {
  let at = start;
  for (;;) {
    const code = source.charCodeAt(at);
    if (code !== UNDERSCORE && (code < 48 || code > highestDigit)) return at;
    at++;
  }
}

/** Whether the number has an underscore between its digits. */
export function hasUnderscore(source: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (source.charCodeAt(at) === UNDERSCORE) return true;
  return false;
}
