import type { Mode } from "../../mode/mode.ts";
import { formatNotebook as formatCells } from "../../notebook/format-notebook.ts";
import { cellFormatter } from "./cell-formatter.ts";

/**
 * Formats a notebook's text with the formatter of Python files, and unless told to be fast checks each changed cell.
 * Returns the same text when nothing changes.
 */
export function formatNotebook(
  source: string,
  mode: Mode,
  pythonCellMagics: readonly string[],
  fast: boolean,
): string {
  return formatCells(source, cellFormatter(mode, pythonCellMagics, fast));
}
