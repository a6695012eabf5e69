import { type CellTokenKind, readToken } from "./read-token.ts";

/**
 * Just enough of Python's `tokenize` for cells that are not Python yet: IPython finds its magics among the tokens
 * of each logical line, and tokens after a magic are whatever they happen to be.
 */
export interface CellToken {
  readonly kind: CellTokenKind;
  readonly text: string;
  /** Index of the physical line, from 0. */
  readonly line: number;
  /** Index of the first character within its line. */
  readonly column: number;
  /** Offset of the first character in the cell. */
  readonly offset: number;
}

/** What CPython passes over between tokens; whatever is not ASCII it first takes for a part of a name, a no-break space too. */
const SPACES = " \t\f";

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
    if (SPACES.includes(char) || (char === "\r" && isPassedOver(cell, at))) {
      at++;
      continue;
    }
    const token = char === "\r" ? readGlued(cell, at) : readToken(cell, at);
    if (token === undefined) break;
    const { kind, end } = token;
    const text = cell.slice(at, end);
    tokens.push({ kind, text, line, column: at - lineStart, offset: at });
    if (kind === "op") {
      const last = text.at(-1)!;
      if ("([{".includes(last)) depth++;
      else if (")]}".includes(last) && depth > 0) depth--;
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

/** Whether the carriage return at an offset is part of a line's end, or before a backslash, where it is lost. */
function isPassedOver(cell: string, at: number): boolean {
  return at === cell.length - 1 || "\n\\".includes(cell[at + 1]!);
}

/** To CPython any other carriage return is the beginning of the token behind it, which is no name then and no comment. */
function readGlued(cell: string, at: number): { kind: CellTokenKind; end: number } | undefined {
  if (/[a-zA-Z_#\x80-\uffff]/.test(cell[at + 1]!)) return { kind: "op", end: at + 2 };
  return readToken(cell, at + 1);
}
