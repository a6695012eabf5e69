/** How many children string processing has added to a node, or taken away: for who is visiting them. */
import type { Tree } from "./tree.ts";

export function gainedChildren(tree: Tree, node: number): number {
  return tree.gained.size === 0 ? 0 : (tree.gained.get(node) ?? 0);
}

export function noteGainedChildren(tree: Tree, node: number, change: number): void {
  tree.gained.set(node, gainedChildren(tree, node) + change);
}
