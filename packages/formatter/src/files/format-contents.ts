import { checkIsPython } from "../equivalence/check-equivalence.ts";
import { formatPasses, formatSource } from "../format/format-source.ts";
import type { Mode } from "../mode/mode.ts";
import { checkOutput } from "./check-output.ts";
import { checkDeclaration } from "./encodings/detect.ts";
import type { ContentsJob } from "./job.ts";
import { formatNotebook } from "./notebook/format-notebook.ts";

/**
 * Formats a file's text and, unless told to be fast, checks the result (Black: `format_file_contents`).
 * Returns the same text when nothing changes.
 */
export function formatContents(source: string, mode: Mode, job: ContentsJob): string {
  if (mode.isIpynb) return formatNotebook(source, mode, job.pythonCellMagics, job.fast);
  checkDeclaration(source);
  const checkNested = job.fast ? undefined : checkIsPython;
  if (job.lineRanges.length > 0) {
    const output = formatSource(source, mode, job.lineRanges, checkNested);
    if (output !== source && !job.fast) checkOutput(source, output, mode, false);
    return output;
  }
  const { output, isStable } = formatPasses(source, mode, checkNested);
  if (output !== source && !job.fast) checkOutput(source, output, mode, !isStable);
  return output;
}
