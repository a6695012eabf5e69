/** Lines that `# fmt: off` or `# fmt: skip` keeps as they are (`lines.py` Line.is_fmt_pass_converted). */
import { containsFmtDirective, FMT_ON } from "../../comments/directives.ts";
import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { type LineFacts, Trait } from "./line-facts.ts";

/** First leaf of the code that the line keeps as it is; `NONE` for any other line. */
export function convertedFirstLeaf(line: LineFacts): number {
  if (!line.is(Trait.CONVERTED)) return NONE;
  return line.tree.keptCode.get(line.first)?.firstLeaf ?? NONE;
}

/** Whether the leaf is the comment that turns formatting on again. */
export function endsFmtOff(tree: Tree, leaf: number): boolean {
  return tree.kind[leaf] === Kind.STANDALONE_COMMENT && containsFmtDirective(tree.text(leaf), FMT_ON);
}
