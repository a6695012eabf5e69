import { logicalLines } from "./cell-tokens.ts";
import { BrokenCellError, checkComplete, checkIndentation } from "./check-cell.ts";

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
  // No token of CPython's holds a carriage return that ends a last line without code, and the cell is put together of tokens.
  const losesReturn = cell.endsWith("\r") && lines.at(-1)!.every(({ kind }) => kind === "comment");
  const end = losesReturn ? -1 : cell.length;
  return { cell: cell.slice(0, last.offset) + cell.slice(last.offset + 1, end), removed: true };
}

/** Puts a semicolon behind the last token that is code (Black: put_trailing_semicolon_back). */
export function putTrailingSemicolonBack(cell: string): string {
  const last = [...logicalLines(cell)].flat().findLast((token) => token.kind !== "comment");
  if (last === undefined)
    throw new BrokenCellError(
      "INTERNAL ERROR: Was not able to reinstate trailing semicolon. Please report this with the source.",
    );
  const end = last.offset + last.text.length;
  return `${cell.slice(0, end)};${cell.slice(end)}`;
}
