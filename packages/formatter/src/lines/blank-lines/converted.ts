/** Lines that `# fmt: off` or `# fmt: skip` keeps as they are (`lines.py` Line.is_fmt_pass_converted). */
import { containsFmtDirective, FMT_ON } from "../../comments/directives.ts";
import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import type { Line } from "../line.ts";

/** First leaf of the code that the line keeps as it is; `NONE` for any other line. */
export function convertedFirstLeaf(line: Line): number {
  if (!line.isComment()) return NONE;
  return line.tree.keptCode.get(line.leaves[0]!)?.firstLeaf ?? NONE;
}

/** Whether the line is code kept as it is. */
export function isFmtPassConverted(line: Line): boolean {
  return convertedFirstLeaf(line) !== NONE;
}

/** Whether the leaf is the comment that turns formatting on again. */
export function endsFmtOff(tree: Tree, leaf: number): boolean {
  return tree.kind[leaf] === Kind.STANDALONE_COMMENT && containsFmtDirective(tree.text(leaf), FMT_ON);
}
