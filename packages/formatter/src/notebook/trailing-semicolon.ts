import { type CellToken, logicalLines } from "./cell-tokens.ts";

/** The cell breaks off inside brackets or a string, so that nobody can tell where its last statement ends. */
export class IncompleteCellError extends Error {
  override name = "IncompleteCellError";
}

/**
 * Takes away the semicolon that silences a cell's last value (Black: remove_trailing_semicolon).
 *
 * @throws {IncompleteCellError} where `tokenize` would find the end of the file in the middle of a statement.
 */
export function removeTrailingSemicolon(cell: string): { cell: string; removed: boolean } {
  const tokens = logicalLines(cell).flat();
  checkComplete(cell, tokens);
  const last = tokens.findLast((token) => token.kind !== "comment");
  if (last === undefined || last.text !== ";") return { cell, removed: false };
  // Blanks at the very end are no token, and go as well.
  const rest = cell.slice(last.offset + 1).replace(/^[ \t]+$/, "");
  return { cell: cell.slice(0, last.offset) + rest, removed: true };
}

/** Puts a semicolon behind the last token that is code (Black: put_trailing_semicolon_back). */
export function putTrailingSemicolonBack(cell: string): string {
  const last = lastCodeToken(cell);
  if (last === undefined) return cell;
  const end = last.offset + last.text.length;
  return `${cell.slice(0, end)};${cell.slice(end)}`;
}

function lastCodeToken(cell: string): CellToken | undefined {
  return logicalLines(cell)
    .flat()
    .findLast((token) => token.kind !== "comment");
}

function checkComplete(cell: string, tokens: readonly CellToken[]): void {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== "op") continue;
    if ("([{".includes(text)) depth++;
    else if (")]}".includes(text)) depth--;
  }
  const last = tokens.at(-1);
  const rest = last === undefined ? cell : cell.slice(last.offset + last.text.length);
  if (/["']{3}/.test(rest))
    throw new IncompleteCellError("a cell ends inside a string: EOF in multi-line string");
  if (depth !== 0) throw new IncompleteCellError("a cell ends inside brackets: EOF in multi-line statement");
}
