import { NONE, PrefixFlag, type Tree } from "../tree.ts";

/** Whether the prefix holds more than white space: a comment or a backslash (`bool(node.prefix.strip())`). */
export function hasVisiblePrefix(tree: Tree, id: number): boolean {
  const leaf = tree.firstLeaf(id);
  return leaf !== NONE && (tree.prefixFlags[leaf]! & (PrefixFlag.COMMENT | PrefixFlag.BACKSLASH)) !== 0;
}

/** Whether the prefix holds a line break. */
export function hasNewlineInPrefix(tree: Tree, id: number): boolean {
  const leaf = tree.firstLeaf(id);
  return leaf !== NONE && (tree.prefixFlags[leaf]! & PrefixFlag.NEWLINE) !== 0;
}
