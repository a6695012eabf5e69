import { NONE, type Tree } from "../../syntax/tree.ts";

/** 1-based source line of a leaf, or of a node's first leaf. */
export function lineOf(tree: Tree, id: number): number {
  const leaf = tree.firstLeaf(id);
  return leaf === NONE ? 1 : tree.line[leaf]!;
}
