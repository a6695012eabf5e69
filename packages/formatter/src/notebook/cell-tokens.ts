import { lazy } from "../util/lazy.ts";

/**
 * Just enough of Python's `tokenize` for cells that are not Python yet: IPython finds its magics among the tokens
 * of each logical line, and tokens after a magic are whatever they happen to be.
 */
export interface CellToken {
  readonly kind: "name" | "number" | "string" | "op" | "comment";
  readonly text: string;
  /** Index of the physical line, from 0. */
  readonly line: number;
  /** Index of the first character within its line. */
  readonly column: number;
  /** Offset of the first character in the cell. */
  readonly offset: number;
}

const tokenPattern = lazy(
  () =>
    new RegExp(
      [
        String.raw`(?<comment>#[^\n]*)`,
        `(?<quotes>[rbuftRBUFT]{0,2}(?:"""|'''|"|'))`,
        String.raw`(?<number>[0-9][0-9a-zA-Z_.]*|\.[0-9][0-9a-zA-Z_]*)`,
        String.raw`(?<name>[a-zA-Z_\x80-\u{10ffff}][0-9a-zA-Z_\x80-\u{10ffff}]*)`,
        String.raw`(?<op>\*\*=?|//=?|>>=?|<<=?|->|:=|[-+*/%&|^@=<>!]=|.)`,
      ].join("|"),
      "suy",
    ),
);

/** What CPython passes over between tokens; whatever is not ASCII it first takes for a part of a name, a no-break space too. */
const SPACES = " \t\f\r";

/**
 * Groups a cell's tokens into logical lines: a line ends at a line break outside brackets and strings.
 * Blank lines and lines with only a comment are lines of their own. Stops where a triple-quoted string or a
 * bracket never ends, as `tokenize` does.
 */
export function* logicalLines(cell: string): Generator<CellToken[]> {
  let tokens: CellToken[] = [];
  let depth = 0;
  let line = 0;
  let lineStart = 0;
  let at = 0;
  const pattern = tokenPattern();
  while (at < cell.length) {
    const char = cell[at]!;
    if (char === "\n") {
      if (depth === 0) {
        yield tokens;
        tokens = [];
      }
      line++;
      lineStart = ++at;
      continue;
    }
    if (char === "\\" && /^\r?\n/.test(cell.slice(at + 1, at + 3))) {
      line++;
      at = cell.indexOf("\n", at) + 1;
      lineStart = at;
      continue;
    }
    if (SPACES.includes(char)) {
      at++;
      continue;
    }
    pattern.lastIndex = at;
    const match = pattern.exec(cell)!;
    const { comment, quotes, number, name } = match.groups!;
    let kind: CellToken["kind"] = "op";
    if (comment !== undefined) kind = "comment";
    else if (number !== undefined) kind = "number";
    else if (name !== undefined) kind = "name";
    let end = at + match[0].length;
    if (quotes !== undefined) {
      const stringEnd = endOfString(cell, end, quotes);
      if (stringEnd === -1) break;
      if (stringEnd > end) {
        kind = "string";
        end = stringEnd;
      }
    }
    const text = cell.slice(at, end);
    tokens.push({ kind, text, line, column: at - lineStart, offset: at });
    if (kind === "op") {
      if ("([{".includes(text)) depth++;
      else if (")]}".includes(text) && depth > 0) depth--;
    }
    for (let i = at; i < end; i++) {
      if (cell[i] === "\n") {
        line++;
        lineStart = i + 1;
      }
    }
    at = end;
  }
  yield tokens;
}

/** Offset after the closing quotes; the opening's end when a one-line string never ends; -1 for a triple-quoted one. */
function endOfString(cell: string, start: number, opening: string): number {
  const quotes = opening.endsWith('"""') || opening.endsWith("'''") ? opening.slice(-3) : opening.slice(-1);
  for (let at = start; at < cell.length; at++) {
    if (cell[at] === "\\") at++;
    else if (cell.startsWith(quotes, at)) return at + quotes.length;
    else if (quotes.length === 1 && cell[at] === "\n") return start;
  }
  return quotes.length === 3 ? -1 : start;
}
