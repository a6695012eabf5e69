/** Parentheses round context managers (`linegen.py` _maybe_wrap_cms_in_parens, remove_with_parens). */
import { Feature } from "../../mode/target-version.ts";
import { Kind } from "../../syntax/kinds.ts";
import { makeLpar, makeRpar, wrapInParentheses } from "../../syntax/parentheses.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";
import { maybeMakeParensInvisibleInAtom, ParenOption } from "./make-invisible.ts";

/** Puts several context managers into one pair of invisible parentheses where the versions allow that. */
export function maybeWrapContextManagers(tree: Tree, statement: number, features: number): void {
  if ((features & Feature.PARENTHESIZED_CONTEXT_MANAGERS) === 0) return;
  const first = tree.next[tree.first[statement]!]!;
  if (first === NONE || tree.next[first] === NONE || tree.kind[first] === Kind.atom) return;
  let colon = tree.next[first]!;
  while (colon !== NONE && tree.kind[colon] !== Kind.COLON) colon = tree.next[colon]!;
  if (colon === NONE) return;
  const managers = tree.addNode(Kind.testlist_gexp);
  for (let child = first; child !== colon; ) {
    const next = tree.remove(child);
    tree.append(managers, child);
    child = next;
  }
  const atom = tree.addNode(Kind.atom);
  tree.append(atom, makeLpar(tree, false));
  tree.append(atom, managers);
  tree.append(atom, makeRpar(tree, false));
  tree.insertBefore(statement, colon, atom);
}

/** Hides the parentheses round each context manager and round all of them. */
export function removeWithParens(tree: Tree, node: number, parent: number, features: number): void {
  const kind = tree.kind[node];
  if (kind === Kind.atom) {
    hideOrWrap(tree, node, parent, features);
    const content = tree.next[tree.first[node]!]!;
    if (!tree.isLeaf(content)) removeWithParens(tree, content, node, features);
  } else if (kind === Kind.testlist_gexp) {
    for (let child = tree.first[node]!; child !== NONE; ) {
      const next = tree.next[child]!;
      if (!tree.isLeaf(child)) removeWithParens(tree, child, node, features);
      child = next;
    }
  } else if (kind === Kind.asexpr_test && !containsWalrus(tree, node)) {
    hideOrWrap(tree, tree.first[node]!, node, features);
  }
}

function hideOrWrap(tree: Tree, node: number, parent: number, features: number): void {
  const option = ParenOption.REMOVE_BRACKETS_AROUND_COMMA;
  if (maybeMakeParensInvisibleInAtom(tree, node, parent, features, option)) {
    wrapInParentheses(tree, node, false);
  }
}

function containsWalrus(tree: Tree, node: number): boolean {
  const stop = tree.lastLeaf(node);
  for (let leaf = tree.firstLeaf(node); leaf !== NONE; leaf = tree.nextLeaf(leaf)) {
    if (tree.kind[leaf] === Kind.COLONEQUAL) return true;
    if ((tree.textFlags[leaf]! & TextFlag.HOLDS_WALRUS) !== 0) return true;
    if (leaf === stop) return false;
  }
  return false;
}
