import { FIRST_NODE, Kind } from "../../syntax/kinds.ts";
import { childTowards } from "../../syntax/predicates/family.ts";
import { testDescendants } from "../../syntax/predicates/operators.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";

/**
 * Whether the subscript that `bracket` opens holds, where `leaf` stands, more than names, numbers and strings
 * (Black: Line.is_complex_subscript). `known` keeps answers by element: without it a long element costs a walk
 * for each of its leaves.
 */
export function isComplexSubscript(
  tree: Tree,
  bracket: number,
  leaf: number,
  known: Map<number, boolean>,
): boolean {
  let start = tree.next[bracket]!;
  if (start === NONE) return false;
  if (tree.kind[start] === Kind.listmaker) return false;
  if (tree.kind[start] === Kind.subscriptlist) start = childTowards(tree, start, leaf);
  if (start === NONE) return false;
  let answer = known.get(start);
  if (answer === undefined) {
    answer = holdsExpression(tree, start, tree.firstLeaf(start));
    known.set(start, answer);
  }
  return answer;
}

/** An f-string at the start is one leaf by the time that Black asks first; further ones are still trees. */
function holdsExpression(tree: Tree, node: number, firstLeaf: number): boolean {
  const kind = tree.kind[node]!;
  if (kind < FIRST_NODE)
    return node !== firstLeaf && (tree.textFlags[node]! & TextFlag.HOLDS_EXPRESSION) !== 0;
  if (testDescendants[kind] !== 0) return true;
  for (let child = tree.first[node]!; child !== NONE; child = tree.next[child]!) {
    if (holdsExpression(tree, child, firstLeaf)) return true;
  }
  return false;
}
