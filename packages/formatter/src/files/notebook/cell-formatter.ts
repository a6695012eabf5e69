import { checkIsPython, isValidPython } from "../../equivalence/check-equivalence.ts";
import { formatPasses, formatSource } from "../../format/format-source.ts";
import type { LineRange } from "../../format/ranges/line-range.ts";
import type { Mode } from "../../mode/mode.ts";
import type { CellFormatter } from "../../notebook/format-cell.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../../util/newline.ts";
import { checkOutput } from "../check-output.ts";
import { checkDeclaration } from "../encodings/detect.ts";

/**
 * The formatter of Python files for the cells of a notebook; unless told to be fast it checks each cell that changes.
 *
 * @param ranges 1-based lines of the cell to format; `undefined` for all of them
 */
export function cellFormatter(
  mode: Mode,
  pythonCellMagics: readonly string[],
  fast: boolean,
  ranges?: readonly LineRange[],
): CellFormatter {
  const format = (code: string, skippedLines: number): string => {
    const contents = withLf(code);
    checkDeclaration(contents);
    const checkNested = fast ? undefined : checkIsPython;
    const { output, isStable } =
      ranges === undefined
        ? formatPasses(contents, mode, checkNested)
        : formatLines(contents, mode, ranges, skippedLines, checkNested);
    if (output !== contents && !fast) checkOutput(contents, output, mode, !isStable);
    return withNewline(output, newlineOfFirstLine(code));
  };
  return { format, isPython: (code) => isValidPython(withLf(code)), pythonCellMagics };
}

function formatLines(
  contents: string,
  mode: Mode,
  ranges: readonly LineRange[],
  skippedLines: number,
  checkNested: ((source: string) => void) | undefined,
): { output: string; isStable: boolean } {
  const left = ranges
    .map(([start, end]): LineRange => [Math.max(1, start - skippedLines), end - skippedLines])
    .filter(([, end]) => end >= 1);
  // Lines outside the ranges may be unformatted: a further pass over the whole would say nothing.
  const output = left.length === 0 ? contents : formatSource(contents, mode, left, checkNested);
  return { output, isStable: true };
}
