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
  const { tree } = line;
  // The head of a definition that was split there has the same comma, unless the split was before it.
  if (line.returnComma < line.leaves.length) return true;
  const result = new Line(tree, line.mode, line.depth);
  const { leaves, indices } = returnType(line);
  if (leaves.length === 0) return false;
  const tracked = leavesInsideMatchingBrackets(tree, leaves);
  for (let i = 0; i < leaves.length; i++) {
    result.append(leaves[i]!, true, tracked[i] === 1);
    if (result.magicTrailingComma === NONE) continue;
    line.returnComma = indices[i]!;
    return true;
  }
  const first = leaves.find((leaf) => tree.textLength(leaf) > 0);
  return (
    first !== undefined &&
    tree.kind[first] === Kind.STRING &&
    !isLineShortEnough(result, line.mode.lineLength)
  );
}

/** The leaves of the return type, and where they stand on the line. */
function returnType({ tree, leaves }: Line): { leaves: number[]; indices: number[] } {
  const found: { leaves: number[]; indices: number[] } = { leaves: [], indices: [] };
  let inReturnType = false;
  for (let i = 0; i < leaves.length; i++) {
    const kind = tree.kind[leaves[i]!];
    if (kind === Kind.COLON) inReturnType = false;
    if (inReturnType) {
      found.leaves.push(leaves[i]!);
      found.indices.push(i);
    }
    if (kind === Kind.RARROW) inReturnType = true;
  }
  return found;
}
