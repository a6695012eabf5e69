/** Letters in the escapes of a string literal (`strings.py` normalize_unicode_escape_sequences). */
import { stringPrefixLength } from "../../syntax/predicates/strings.ts";

const BACKSLASH = 0x5c;

/** The literal with `\x`, `\u` and `\U` digits in lower case and `\N` names in upper case; raw strings stay. */
export function normalizeUnicodeEscapes(literal: string): string {
  let at = literal.indexOf("\\");
  if (at === -1 || isRaw(literal)) return literal;
  let result = "";
  let copied = 0;
  while (at !== -1) {
    let letter = at + 1;
    while (literal.charCodeAt(letter) === BACKSLASH) letter++;
    const end = (letter - at) % 2 === 1 ? escapeEnd(literal, letter) : letter;
    if (end > letter) {
      result += literal.slice(copied, letter + 1);
      const body = literal.slice(letter + 1, end);
      result += literal[letter] === "N" ? body.toUpperCase() : body.toLowerCase();
      copied = end;
    }
    at = literal.indexOf("\\", Math.max(end, letter));
  }
  return copied === 0 ? literal : result + literal.slice(copied);
}

function isRaw(literal: string): boolean {
  const length = stringPrefixLength(literal);
  for (let i = 0; i < length; i++) if (literal[i] === "r" || literal[i] === "R") return true;
  return false;
}

/** End of the escape whose letter stands at `letter`, or `letter` when it is not one of the four. */
function escapeEnd(text: string, letter: number): number {
  switch (text[letter]) {
    case "x":
      return hexEnd(text, letter, 2);
    case "u":
      return hexEnd(text, letter, 4);
    case "U":
      return hexEnd(text, letter, 8);
    case "N":
      return nameEnd(text, letter);
    default:
      return letter;
  }
}

function hexEnd(text: string, letter: number, digits: number): number {
  for (let i = 1; i <= digits; i++) if (!isHexDigit(text.charCodeAt(letter + i))) return letter;
  return letter + 1 + digits;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `N{...}` with two or more letters, digits, spaces and hyphens. */
function nameEnd(text: string, letter: number): number {
  if (text[letter + 1] !== "{") return letter;
  let at = letter + 2;
  while (isNameChar(text.charCodeAt(at))) at++;
  return at - letter >= 4 && text[at] === "}" ? at + 1 : letter;
}

function isNameChar(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x7a) || code === 0x20 || code === 0x2d;
}
