import { Kind } from "../../syntax/kinds.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";

/**
 * Whether the line starts with a string that is a whole element of a list, set, dictionary or tuple: it gets
 * parentheses before it is broken (Black: _prefer_paren_wrap_match).
 */
export function prefersParenWrap(tree: Tree, leaves: readonly number[]): boolean {
  const first = leaves[0]!;
  if (tree.kind[first] !== Kind.STRING) return false;
  const parent = tree.parent[first]!;
  if (!isElementList(parentKind(tree, first)) && !isElementList(parentKind(tree, parent))) return false;
  let before = tree.prev[first]!;
  let after = tree.next[first]!;
  if (before === NONE && after === NONE && parentKind(tree, first) === Kind.atom) {
    before = tree.prev[parent]!;
    after = tree.next[parent]!;
  }
  return isCommaOrNone(tree, before) && isCommaOrNone(tree, after);
}

function isElementList(kind: number): boolean {
  return kind === Kind.listmaker || kind === Kind.dictsetmaker || kind === Kind.testlist_gexp;
}

function isCommaOrNone(tree: Tree, node: number): boolean {
  return node === NONE || tree.kind[node] === Kind.COMMA;
}

/** Whether a statement consists of a string and a comma: a tuple that needs parentheses before it is broken. */
export function isBareStringTuple(tree: Tree, leaves: readonly number[], insideBrackets: boolean): boolean {
  return (
    !insideBrackets &&
    leaves.length === 2 &&
    tree.kind[leaves[0]!] === Kind.STRING &&
    tree.kind[leaves[1]!] === Kind.COMMA
  );
}
