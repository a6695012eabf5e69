import { Kind } from "../../syntax/kinds.ts";
import { isTypeComment } from "../../syntax/predicates/type-comments.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { containsStandaloneComments, type LineView } from "./line-view.ts";

/**
 * The leaf that a trailing comment belongs to: the last one, except that a comment after unprinted parentheses
 * around a single leaf goes to that leaf, so that it stays there when the parentheses appear or vanish
 * (Black: within Line.append_comment).
 */
export function commentHost(line: LineView, comment: number): number {
  const { tree, leaves } = line;
  const last = leaves[leaves.length - 1]!;
  const parent = tree.parent[last]!;
  if (
    tree.kind[last] === Kind.RPAR &&
    tree.textLength(last) === 0 &&
    parent !== NONE &&
    leaves.length >= 2 &&
    hasAtMostThreeLeaves(tree, parent) &&
    !isTypeComment(tree, comment) &&
    !containsStandaloneComments(line)
  ) {
    return leaves[leaves.length - 2]!;
  }
  return last;
}

function hasAtMostThreeLeaves(tree: Tree, node: number): boolean {
  const stop = tree.lastLeaf(node);
  let leaf = tree.firstLeaf(node);
  for (let count = 1; count <= 3; count++) {
    if (leaf === stop) return true;
    leaf = tree.nextLeaf(leaf);
  }
  return false;
}
