/** Literals and comments that come out of the formatter as they went in. */
import { TextFlag } from "../../syntax/tree.ts";
import { isDigit } from "../../tokenize/character-class.ts";

const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const POINT = 46;
const COLON = 58;
const BACKSLASH = 92;
const SPACE = 32;

/**
 * Whether the STRING token is already as `normalizeString...` would leave it: double quotes, no prefix but a small
 * `b` or `r`, and with backslashes in it no quotes and no escape whose letters' case is normalised.
 */
export function isNormalString(source: string, start: number, end: number, textFlags: number): boolean {
  if ((textFlags & (TextFlag.MULTILINE | TextFlag.NON_ASCII)) !== 0) return false;
  const first = source.charCodeAt(start);
  const quote = first === DOUBLE_QUOTE ? start : start + 1;
  if (quote !== start && ((first !== 98 && first !== 114) || source.charCodeAt(quote) !== DOUBLE_QUOTE)) {
    return false;
  }
  return (textFlags & TextFlag.BACKSLASH) === 0 || hasPlainEscapes(source, quote + 1, end - 1);
}

function hasPlainEscapes(source: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) return false;
    if (code !== BACKSLASH) continue;
    switch (source.charCodeAt(at + 1)) {
      case 120: // x
      case 117: // u
      case 85: // U
      case 78: // N
        return false;
      default:
    }
  }
  return true;
}

/** Whether the f-string is `f"..."` on one line, without a backslash and all ASCII. */
export function isNormalInterpolation(source: string, start: number, end: number): boolean {
  if (source.charCodeAt(start) !== 102 || source.charCodeAt(start + 1) !== DOUBLE_QUOTE) return false;
  if (source.charCodeAt(start + 2) === DOUBLE_QUOTE && end - start > 3) return false;
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code === BACKSLASH || code > 126 || code < SPACE) return false;
  }
  return true;
}

/** Whether the number is made of digits alone, perhaps with a point between two of them. */
export function isNormalNumber(source: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (isDigit(code)) continue;
    if (code !== POINT || at === start || at + 1 === end) return false;
  }
  return true;
}

/** Whether the gap is two spaces and a comment that is printed as it is and is no `# type:` comment. */
export function isNormalTrailingComment(source: string, start: number, end: number): boolean {
  if (source.charCodeAt(start) !== SPACE || source.charCodeAt(start + 1) !== SPACE) return false;
  if (source.charCodeAt(start + 2) !== HASH || end - start < 5) return false;
  const second = source.charCodeAt(start + 3);
  if (second !== SPACE && second !== COLON) return false;
  let content = start + 4;
  while (content < end && source.charCodeAt(content) === SPACE) content++;
  if (source.startsWith("type:", content)) return false;
  for (let at = content; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code < SPACE || code > 126) return false;
  }
  return content < end && source.charCodeAt(end - 1) !== SPACE;
}
