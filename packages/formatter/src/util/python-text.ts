/**
 * String operations with Python's meaning of white space and line ends, which differs from JavaScript's:
 * `str.strip` also takes U+001C..U+001F and U+0085 and leaves U+FEFF alone.
 */

/** Whether Python's `str.isspace` holds for the UTF-16 unit. */
export function isPythonSpace(code: number): boolean {
  if (code <= 0x7f) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** `str.lstrip()`. */
export function lstrip(text: string): string {
  let start = 0;
  while (start < text.length && isPythonSpace(text.charCodeAt(start))) start++;
  return start === 0 ? text : text.slice(start);
}

/** `str.rstrip()`. */
export function rstrip(text: string): string {
  let end = text.length;
  while (end > 0 && isPythonSpace(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** `str.strip()`. */
export function strip(text: string): string {
  return rstrip(lstrip(text));
}

/** `str.split()`. */
export function words(text: string): string[] {
  const found: string[] = [];
  for (let rest = lstrip(text); rest !== ""; rest = lstrip(rest)) {
    const word = firstWord(rest);
    found.push(word);
    rest = rest.slice(word.length);
  }
  return found;
}

/** What comes before the first white space. */
export function firstWord(text: string): string {
  let end = 0;
  while (end < text.length && !isPythonSpace(text.charCodeAt(end))) end++;
  return text.slice(0, end);
}

/** Whether Python's `str.splitlines` ends a line at the UTF-16 unit. */
function isPythonLineEnd(code: number): boolean {
  if (code > 0x1e) return code === 0x85 || code === 0x2028 || code === 0x2029;
  return (code >= 0x0a && code <= 0x0d) || code >= 0x1c;
}

/** `str.splitlines()`: lines without their ends; no empty line after a final line end. */
export function splitlines(text: string): string[] {
  return split(text, false);
}

/** `str.splitlines(keepends=True)`. */
export function splitlinesKeepingEnds(text: string): string[] {
  return split(text, true);
}

function split(text: string, keepEnds: boolean): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isPythonLineEnd(code)) continue;
    const end = i;
    if (code === 0x0d && text.charCodeAt(i + 1) === 0x0a) i++;
    lines.push(text.slice(start, keepEnds ? i + 1 : end));
    start = i + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** `str.expandtabs(size)`: columns restart after LF and CR. */
export function expandtabs(text: string, size: number): string {
  if (text.indexOf("\t") === -1) return text;
  let expanded = "";
  let column = 0;
  for (const char of text) {
    if (char === "\t") {
      const width = size - (column % size);
      expanded += " ".repeat(width);
      column += width;
    } else {
      expanded += char;
      column = char === "\n" || char === "\r" ? 0 : column + 1;
    }
  }
  return expanded;
}

/** `len(text)`: code points, not UTF-16 units. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xd800 || code > 0xdbff) continue;
    const low = text.charCodeAt(i + 1);
    if (low >= 0xdc00 && low <= 0xdfff) {
      length--;
      i++;
    }
  }
  return length;
}
