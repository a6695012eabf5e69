/** Parentheses added to and shown in the tree (`nodes.py` wrap_in_parentheses, ensure_visible). */
import { Kind } from "./kinds.ts";
import { NONE, type Tree } from "./tree.ts";

/** A new opening parenthesis, printed or not. */
export function makeLpar(tree: Tree, visible: boolean): number {
  return tree.makeLeaf(Kind.LPAR, visible ? "(" : "");
}

/** A new closing parenthesis, printed or not. */
export function makeRpar(tree: Tree, visible: boolean): number {
  return tree.makeLeaf(Kind.RPAR, visible ? ")" : "");
}

/** Puts an atom of parentheses round `child` in its place; the child's prefix moves in front of them. */
export function wrapInParentheses(tree: Tree, child: number, visible: boolean): void {
  const opening = makeLpar(tree, visible);
  movePrefix(tree, child, opening);
  const atom = tree.addNode(Kind.atom);
  tree.replace(child, atom);
  tree.append(atom, opening);
  tree.append(atom, child);
  tree.append(atom, makeRpar(tree, visible));
}

/** Moves comments and line breaks to a leaf that is put before `from`; bare spaces say nothing and may stay. */
export function movePrefix(tree: Tree, from: number, to: number): void {
  const leaf = tree.firstLeaf(from);
  if (leaf === NONE || tree.prefixFlags[leaf] === 0) return;
  const prefix = tree.prefix(leaf);
  tree.setPrefix(leaf, "");
  tree.setPrefix(to, prefix);
}

/** Makes the parenthesis one that is printed. */
export function ensureVisible(tree: Tree, leaf: number): void {
  if (tree.kind[leaf] === Kind.LPAR) tree.setText(leaf, "(");
  else if (tree.kind[leaf] === Kind.RPAR) tree.setText(leaf, ")");
}
