import { Line } from "../lines/line.ts";
import { leavesInsideMatchingBrackets } from "../lines/matching-brackets.ts";
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { isLineShortEnough } from "./short-enough.ts";

/**
 * Whether a function definition is split at its return type first: that has a magic trailing comma, or is a string
 * too long for a line (Black: should_split_funcdef_with_rhs).
 */
export function shouldSplitFuncdefWithRhs(line: Line): boolean {
  const tree = line.tree;
  const leaves: number[] = [];
  let inReturnType = false;
  for (const leaf of line.leaves) {
    const kind = tree.kind[leaf];
    if (kind === Kind.COLON) inReturnType = false;
    if (inReturnType) leaves.push(leaf);
    if (kind === Kind.RARROW) inReturnType = true;
  }
  if (leaves.length === 0) return false;
  const result = new Line(tree, line.mode, line.depth);
  const tracked = leavesInsideMatchingBrackets(tree, leaves);
  for (let i = 0; i < leaves.length; i++) result.append(leaves[i]!, true, tracked[i] === 1);
  if (result.magicTrailingComma !== NONE) return true;
  const first = leaves.find((leaf) => tree.textLength(leaf) > 0);
  return (
    first !== undefined &&
    tree.kind[first] === Kind.STRING &&
    !isLineShortEnough(result, line.mode.lineLength)
  );
}
