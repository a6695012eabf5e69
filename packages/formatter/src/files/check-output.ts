import { checkEquivalence } from "../equivalence/check-equivalence.ts";
import { dumpToFile } from "../equivalence/dump-file.ts";
import { UnstableOutputError } from "../equivalence/safety-error.ts";
import { formatOnce } from "../format/format-source.ts";
import type { Mode } from "../mode/mode.ts";
import { unifiedDiff } from "../util/difflib/unified-diff.ts";

/**
 * Checks a changed output: same meaning as the source, and formatting it again changes nothing
 * (Black: `check_stability_and_equivalence`).
 *
 * @param checksStability whether the output is to be formatted again: not when it is known to be stable, nor when
 *   only some lines were formatted, so that others may well change.
 * @throws {SafetyError} with the path of a file that holds the evidence.
 */
export function checkOutput(source: string, output: string, mode: Mode, checksStability: boolean): void {
  checkEquivalence(source, output, mode.targetVersions);
  if (!checksStability) return;
  // One pass: two could lead there and back again.
  const again = formatOnce(output, mode);
  if (again === output) return;
  const log = dumpToFile(
    JSON.stringify(mode),
    unifiedDiff(source, output, "source", "first pass"),
    unifiedDiff(output, again, "first pass", "second pass"),
  );
  throw new UnstableOutputError(
    `INTERNAL ERROR: the formatter made something else of its own output. Please report this with the source. This diff might be helpful: ${log}`,
  );
}
