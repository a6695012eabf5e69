import { closingBracketOf, isClosingBracket, isOpeningBracket } from "../syntax/kinds.ts";
import type { Tree } from "../syntax/tree.ts";

/** Kept for the next call: one is made for every split. */
let inside = new Uint8Array(256);
let owner = new Int32Array(256);

/**
 * For each of the first `end` leaves, 1 when it stands inside (or is) a pair of brackets that both are among them
 * (Black: get_leaves_inside_matching_brackets). Linear: a leaf belongs to its innermost open bracket only. The
 * answer holds until the next call.
 */
export function leavesInsideMatchingBrackets(
  tree: Tree,
  leaves: readonly number[],
  end = leaves.length,
): Uint8Array {
  if (inside.length < end) {
    inside = new Uint8Array(2 * end);
    owner = new Int32Array(2 * end);
  }
  inside.fill(0, 0, end);
  if (!hasClosingBracket(tree, leaves, end)) return inside;
  owner.fill(-1, 0, end);
  const open: number[] = [];
  let i = 0;
  while (i < end && !isOpeningBracket(tree.kind[leaves[i]!]!)) i++;
  for (; i < end; i++) {
    const kind = tree.kind[leaves[i]!]!;
    if (isOpeningBracket(kind)) {
      open.push(i);
      owner[i] = i;
    } else if (isClosingBracket(kind)) {
      const opening = open.pop();
      if (opening === undefined || closingBracketOf(tree.kind[leaves[opening]!]!) !== kind) break;
      owner[i] = opening;
      inside[opening] = 1;
    } else if (open.length > 0) {
      owner[i] = open[open.length - 1]!;
    }
  }
  // Openings are confirmed by now; everything else follows the opening that owns it.
  for (let at = 0; at < end; at++) {
    const opening = owner[at]!;
    if (opening !== -1 && inside[opening] === 1) inside[at] = 1;
  }
  return inside;
}

function hasClosingBracket(tree: Tree, leaves: readonly number[], end: number): boolean {
  for (let i = 0; i < end; i++) if (isClosingBracket(tree.kind[leaves[i]!]!)) return true;
  return false;
}
