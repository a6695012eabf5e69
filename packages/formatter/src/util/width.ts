import { wideRanges } from "./generated/width-table.ts";

/** First code point that is two columns wide; nothing below it needs a look at the table. */
const FIRST_WIDE = wideRanges[0]!;

/** Columns that a code point takes in a terminal: 2 for East Asian wide ones, 1 for the rest (Black: char_width). */
function codePointWidth(codePoint: number): number {
  if (codePoint < FIRST_WIDE) return 1;
  let low = 0;
  let high = wideRanges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (codePoint < wideRanges[2 * middle]!) high = middle - 1;
    else if (codePoint > wideRanges[2 * middle + 1]!) low = middle + 1;
    else return 2;
  }
  return 1;
}

/** Columns that the text takes in a terminal (Black: str_width). */
export function stringWidth(text: string): number {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < FIRST_WIDE) {
      width++;
      continue;
    }
    const codePoint = text.codePointAt(i)!;
    if (codePoint > 0xffff) i++;
    width += codePointWidth(codePoint);
  }
  return width;
}

/** Number of code points, which is what Python's `len` counts. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      length--;
      i++;
    }
  }
  return length;
}

/** How many code points of the text fit in `maxWidth` columns (Black: count_chars_in_width). */
export function countCharsInWidth(text: string, maxWidth: number): number {
  let width = 0;
  let count = 0;
  for (const char of text) {
    const next = codePointWidth(char.codePointAt(0)!);
    if (width + next > maxWidth) return count;
    width += next;
    count++;
  }
  return count;
}
