import { pythonColumns } from "../tokenize/python-columns.ts";
import type { CellToken } from "./cell-tokens.ts";

/** The cell cannot be cut into tokens, so that nobody can tell where its last statement ends. */
export class BrokenCellError extends Error {
  override name = "BrokenCellError";
}

/** What is behind the last token. */
function behind(cell: string, tokens: readonly CellToken[]): string {
  const last = tokens.at(-1);
  return last === undefined ? cell : cell.slice(last.offset + last.text.length);
}

/** @throws {BrokenCellError} for a cell that ends inside a string or brackets */
export function checkComplete(cell: string, tokens: readonly CellToken[]): void {
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

/**
 * Each line's indentation is one of those that are open (Python: tokenize).
 *
 * @throws {BrokenCellError}
 */
export function checkIndentation(cell: string, lines: readonly (readonly CellToken[])[]): void {
  const open = [0];
  const otherOpen = [0];
  let gapStart = 0;
  for (const tokens of lines) {
    const first = tokens[0];
    if (first === undefined || first.kind === "comment") continue;
    const gap = gapStart;
    gapStart = endOfLine(cell, tokens.at(-1)!);
    // A line that begins with a carriage return counts as a blank one, whatever is behind that.
    if (/\r(?!\n)/.test(cell.slice(gap, first.offset + 1))) continue;
    const { column, other } = pythonColumns(cell, gap, first.offset);
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
