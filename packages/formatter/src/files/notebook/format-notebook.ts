import { isValidPython } from "../../equivalence/check-equivalence.ts";
import { formatPasses } from "../../format/format-source.ts";
import type { Mode } from "../../mode/mode.ts";
import { formatNotebook as formatCells } from "../../notebook/format-notebook.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../../util/newline.ts";
import { checkOutput } from "../check-output.ts";

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
  const format = (code: string): string => {
    const contents = withLf(code);
    const { output, isStable } = formatPasses(contents, mode);
    if (output !== contents && !fast) checkOutput(contents, output, mode, !isStable);
    return withNewline(output, newlineOfFirstLine(code));
  };
  return formatCells(source, { format, isPython: (code) => isValidPython(withLf(code)), pythonCellMagics });
}
