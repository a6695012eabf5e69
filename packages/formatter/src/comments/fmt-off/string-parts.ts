/** Directives meet f-strings and t-strings while these are nodes of their parts (`linegen.py` visit_fstring). */
import { partsOfString } from "../../parse/string-parts.ts";
import { BrokenTreeError } from "../../syntax/broken-tree-error.ts";
import { Kind } from "../../syntax/kinds.ts";
import { isInterpolated } from "../../syntax/predicates/strings.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";
import { pythonRepr } from "../../util/python-repr.ts";

/** Puts nodes of their parts in the place of all such strings; returns the leaves by the nodes. */
export function takeStringsApart(tree: Tree, root: number): Map<number, number> {
  const apart = new Map<number, number>();
  for (const leaf of tree.leaves(root)) {
    if (!isInterpolated(tree, leaf)) continue;
    const node = partsOfString(tree, leaf);
    tree.replace(leaf, node);
    apart.set(node, leaf);
  }
  return apart;
}

/** Makes leaves of the nodes again, but for those that a comment has become a child of: they are printed part by part. */
export function putStringsTogether(tree: Tree, root: number, apart: ReadonlyMap<number, number>): void {
  for (const [node, leaf] of apart) {
    if (!isBelow(tree, node, root)) continue;
    if (hasCommentChild(tree, node)) putNestedTogether(tree, node);
    else putTogether(tree, node, leaf);
  }
}

/** Whether `root` is an ancestor of `id`. */
export function isBelow(tree: Tree, id: number, root: number): boolean {
  let at = id;
  while (at !== NONE && at !== root) at = tree.parent[at]!;
  return at === root;
}

function putNestedTogether(tree: Tree, node: number): void {
  for (let child = tree.first[node]!; child !== NONE; ) {
    const next = tree.next[child]!;
    if (tree.kind[child] !== Kind.fstring || hasCommentChild(tree, child)) putNestedTogether(tree, child);
    else {
      const leaf = tree.makeLeaf(Kind.STRING, "");
      tree.textFlags[leaf] = TextFlag.INTERPOLATED;
      putTogether(tree, child, leaf);
    }
    child = next;
  }
}

function putTogether(tree: Tree, node: number, leaf: number): void {
  const prefix = tree.prefix(node);
  if (prefix !== tree.prefix(leaf)) tree.setPrefix(leaf, prefix);
  const text = textWithoutPrefix(tree, node);
  // A directive has taken code from within a field, and what is behind the string with it (`assert_is_leaf_string`).
  if (!/["']$/.test(text) && !hasBackslashInField(tree, node))
    throw new BrokenTreeError(`${pythonRepr(text)} is missing an ending quote character (' or ").`);
  if (text !== tree.text(leaf)) tree.setText(leaf, text);
  tree.replace(node, leaf);
}

/** Where it has one, nothing looks at the string any more. */
function hasBackslashInField(tree: Tree, node: number): boolean {
  return tree
    .children(node)
    .some(
      (child) => tree.kind[child] === Kind.fstring_replacement_field && textOfAll(tree, child).includes("\\"),
    );
}

function textOfAll(tree: Tree, node: number): string {
  return tree
    .leaves(node)
    .map((leaf) => tree.prefix(leaf) + tree.text(leaf))
    .join("");
}

function textWithoutPrefix(tree: Tree, node: number): string {
  const [first, ...others] = tree.leaves(node);
  return tree.text(first!) + others.map((leaf) => tree.prefix(leaf) + tree.text(leaf)).join("");
}

function hasCommentChild(tree: Tree, node: number): boolean {
  for (let child = tree.first[node]!; child !== NONE; child = tree.next[child]!) {
    if (tree.kind[child] === Kind.STANDALONE_COMMENT) return true;
  }
  return false;
}
