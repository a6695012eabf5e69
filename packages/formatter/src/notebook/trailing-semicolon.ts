import { pythonColumns } from "../tokenize/python-columns.ts";
import { type CellToken, logicalLines } from "./cell-tokens.ts";

/** The cell cannot be cut into tokens, so that nobody can tell where its last statement ends. */
export class BrokenCellError extends Error {
  override name = "BrokenCellError";
}

/** A carriage return that ends an empty last line: no token of CPython's holds it, and the cell is put together of tokens. */
const LOST_RETURN = /\r$(?<=(?<!\\\r?)\n[ \t\f]*\r)/;

/** What no token of Python's begins with, nor one that has got a carriage return before it. */
const NO_TOKEN = /[\p{Cc}\P{ASCII}]$/u;

/**
 * Takes away the semicolon that silences a cell's last value (Black: remove_trailing_semicolon). `undefined` where
 * `tokenize` gives up at a control character or a backslash.
 *
 * @throws {BrokenCellError} where `tokenize` would find the end of the file in the middle of a statement.
 */
export function removeTrailingSemicolon(cell: string): { cell: string; removed: boolean } | undefined {
  const lines = [...logicalLines(cell)];
  const tokens = lines.flat();
  checkComplete(cell, tokens);
  checkIndentation(cell, lines);
  if (tokens.some(({ kind, text }) => kind === "op" && NO_TOKEN.test(text))) return undefined;
  const last = tokens.findLast((token) => token.kind !== "comment");
  if (last === undefined || last.text !== ";") return { cell, removed: false };
  // Without the semicolon a backslash before it might continue the line.
  if (cell[last.offset - 1] === "\\") return undefined;
  const end = LOST_RETURN.test(behind(cell, tokens)) ? -1 : cell.length;
  return { cell: cell.slice(0, last.offset) + cell.slice(last.offset + 1, end), removed: true };
}

/** Puts a semicolon behind the last token that is code (Black: put_trailing_semicolon_back). */
export function putTrailingSemicolonBack(cell: string): string {
  const last = lastCodeToken(cell);
  if (last === undefined)
    throw new BrokenCellError(
      "INTERNAL ERROR: Was not able to reinstate trailing semicolon. Please report this with the source.",
    );
  const end = last.offset + last.text.length;
  return `${cell.slice(0, end)};${cell.slice(end)}`;
}

function lastCodeToken(cell: string): CellToken | undefined {
  return [...logicalLines(cell)].flat().findLast((token) => token.kind !== "comment");
}

/** What is behind the last token. */
function behind(cell: string, tokens: readonly CellToken[]): string {
  const last = tokens.at(-1);
  return last === undefined ? cell : cell.slice(last.offset + last.text.length);
}

function checkComplete(cell: string, tokens: readonly CellToken[]): void {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== "op") continue;
    const last = text.at(-1)!;
    if ("([{".includes(last)) depth++;
    // Since Python 3.12 a bracket that closes nothing is passed over.
    else if (")]}".includes(last) && depth > 0) depth--;
  }
  if (/["']{3}/.test(behind(cell, tokens)))
    throw new BrokenCellError("a cell ends inside a string: EOF in multi-line string");
  if (depth > 0) throw new BrokenCellError("a cell ends inside brackets: EOF in multi-line statement");
}

/** Each line's indentation is one of those that are open (Python: tokenize). */
function checkIndentation(cell: string, lines: readonly (readonly CellToken[])[]): void {
  const open = [0];
  const otherOpen = [0];
  let gapStart = 0;
  for (const tokens of lines) {
    const first = tokens[0];
    if (first === undefined || first.kind === "comment") continue;
    // A line that begins with a carriage return counts as a blank one, whatever is behind that.
    if (/\r(?!\n)/.test(cell.slice(gapStart, first.offset + 1))) continue;
    const { column, other } = pythonColumns(cell, gapStart, first.offset);
    gapStart = endOfLine(cell, tokens.at(-1)!);
    const opens = column > open.at(-1)!;
    if (opens) {
      open.push(column);
      otherOpen.push(other);
    }
    while (column < open.at(-1)!) {
      open.pop();
      otherOpen.pop();
    }
    if (column !== open.at(-1))
      throw new BrokenCellError(
        `line ${first.line + 1} of a cell: unindent does not match any outer indentation level`,
      );
    if (opens ? other <= otherOpen.at(-2)! : other !== otherOpen.at(-1))
      throw new BrokenCellError(
        `line ${first.line + 1} of a cell: inconsistent use of tabs and spaces in indentation`,
      );
  }
}

/** Where the line after a logical line begins, whose last token may be a comment. */
function endOfLine(cell: string, last: CellToken): number {
  const end = last.offset + last.text.length;
  const gap = /(?:\\\r?\n|[^\n])*\n?/y;
  gap.lastIndex = end;
  return end + gap.exec(cell)![0].length;
}
