import type { Tree } from "../syntax/tree.ts";
import { shareCustomSplits } from "./custom-splits.ts";
import type { Line } from "./line.ts";

/** A leaf with the same text and source line that is not part of the tree (Black: `Leaf.clone`, `Leaf(type, value)`). */
export function cloneLeaf(tree: Tree, leaf: number): number {
  const copy = tree.makeLeaf(tree.kind[leaf]!, tree.text(leaf));
  tree.textFlags[copy] = tree.textFlags[leaf]!;
  tree.line[copy] = tree.line[leaf]!;
  shareCustomSplits(tree, leaf, copy);
  return copy;
}

/**
 * Appends copies of `leaves` to `line` and puts them in their originals' places in the tree; comments of `from`
 * go along (Black: append_leaves). The originals are without a parent afterwards.
 */
export function appendLeaves(line: Line, from: Line, leaves: readonly number[], preformatted = false): void {
  const tree = line.tree;
  for (const leaf of leaves) {
    const copy = cloneLeaf(tree, leaf);
    if (tree.parent[leaf] !== -1) tree.replace(leaf, copy);
    line.append(copy, preformatted);
    for (const comment of from.commentsAfter(leaf)) line.append(comment, true);
  }
}
