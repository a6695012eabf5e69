/** Where formatting is switched on again (`comments.py` is_fmt_on, children_contains_fmt_on). */
import { NONE, PrefixFlag, type Tree } from "../../syntax/tree.ts";
import { containsFmtDirective, FMT_OFF, FMT_ON } from "../directives.ts";
import { textsFromEnd } from "../list-comments.ts";

/** Whether the last directive before the leaf or node is `on`. */
export function isFmtOn(tree: Tree, id: number): boolean {
  const leaf = tree.firstLeaf(id);
  if (leaf === NONE || (tree.prefixFlags[leaf]! & PrefixFlag.COMMENT) === 0) return false;
  for (const text of textsFromEnd(tree.prefix(leaf))) {
    if (containsFmtDirective(text, FMT_ON)) return true;
    if (containsFmtDirective(text, FMT_OFF)) return false;
  }
  return false;
}

/** Whether it is before one of the children. */
export function childrenContainFmtOn(tree: Tree, id: number): boolean {
  for (let at = tree.first[id]!; at !== NONE; at = tree.next[at]!) if (isFmtOn(tree, at)) return true;
  return false;
}
