/** Blank lines at the end of a file of which only ranges are formatted (`_restore_unselected_trailing_blank_lines`). */
import { splitlinesKeepingEnds, strip } from "../../util/python-text.ts";
import { type LineRange, LineSelection } from "./line-range.ts";

/** The output with the source's last lines back, where these are blank and not selected. */
export function restoreTrailingBlankLines(
  source: string,
  output: string,
  ranges: readonly LineRange[],
): string {
  const sourceLines = splitlinesKeepingEnds(source);
  const outputCount = splitlinesKeepingEnds(output).length;
  if (outputCount >= sourceLines.length) return output;
  const selection = new LineSelection(ranges);
  const suffix = sourceLines.slice(outputCount);
  const isRestored = suffix.every(
    (line, index) => strip(line) === "" && !selection.has(outputCount + 1 + index),
  );
  return isRestored ? output + suffix.join("") : output;
}
