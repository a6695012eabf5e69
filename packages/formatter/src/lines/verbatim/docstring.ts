/** Docstrings that come out of the formatter as they went in (Black: visit_default of STRING, fix_multiline_docstring). */

const SPACE = 32;
const DOUBLE_QUOTE = 34;

/** No ASCII, a backslash or a control character but LF. */
const unusual = /[^\n -[\]-~]/;

/**
 * Whether the STRING token, a statement of its own, stays as it is even where it is a docstring: double quotes; ASCII
 * without backslashes and tabs; no white space or quote that runs into its quotes; and its further lines indented as
 * the statement is or deeper, none of them with spaces at its end.
 *
 * @param lineLength columns for a string of one line, and for the last of several
 */
export function isNormalDocstring(source: string, start: number, end: number, lineLength: number): boolean {
  if (source.charCodeAt(start) !== DOUBLE_QUOTE) return false;
  const isTriple =
    source.charCodeAt(start + 1) === DOUBLE_QUOTE && source.charCodeAt(start + 2) === DOUBLE_QUOTE;
  const width = isTriple ? 3 : 1;
  const from = start + width;
  const to = end - width;
  if (from >= to || unusual.test(source.slice(from, to))) return false;
  const first = source.charCodeAt(from);
  if (first === SPACE || first === DOUBLE_QUOTE || source.charCodeAt(to - 1) === DOUBLE_QUOTE) return false;
  const indent = indentationBefore(source, start);
  const firstEnd = source.indexOf("\n", from);
  if (firstEnd >= to) return source.charCodeAt(to - 1) !== SPACE && end - start + indent <= lineLength;
  const lastStart = source.lastIndexOf("\n", to - 1) + 1;
  return end - lastStart <= lineLength && isIndented(source, firstEnd, to, indent);
}

function indentationBefore(source: string, start: number): number {
  let at = start;
  while (at > 0 && source.charCodeAt(at - 1) === SPACE) at--;
  return start - at;
}

/**
 * Whether the lines from the line break at `firstEnd` on are indented by `indent` at least, one of them by no more;
 * blank ones are empty, but for the last, which may hold the closing quotes alone. No line ends with a space.
 */
function isIndented(source: string, firstEnd: number, end: number, indent: number): boolean {
  let isAligned = false;
  let lineEnd = firstEnd;
  for (;;) {
    if (source.charCodeAt(lineEnd - 1) === SPACE) return false;
    if (lineEnd === end) return isAligned;
    const lineStart = lineEnd + 1;
    const next = source.indexOf("\n", lineStart);
    lineEnd = next === -1 || next > end ? end : next;
    let content = lineStart;
    while (content < lineEnd && source.charCodeAt(content) === SPACE) content++;
    if (content === lineEnd) {
      if (lineEnd === end) return isAligned && content - lineStart === indent;
      if (content > lineStart) return false;
    } else {
      if (content - lineStart < indent) return false;
      if (content - lineStart === indent) isAligned = true;
    }
  }
}

/** Where the string in double quotes at `start` ends if it has no backslash; -1 where it does not end. */
export function docstringEnd(source: string, start: number): number {
  const isTriple = source.startsWith('"""', start);
  const quotes = isTriple ? '"""' : '"';
  const at = source.indexOf(quotes, start + quotes.length);
  if (at === -1) return -1;
  const end = at + quotes.length;
  if (isTriple) return end;
  const lineEnd = source.indexOf("\n", start);
  return lineEnd < end ? -1 : end;
}
