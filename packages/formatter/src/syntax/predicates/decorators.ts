/** Decorators that the grammar before Python 3.9 allows (`nodes.py` is_simple_decorator_expression). */
import { isNameKind, Kind } from "../kinds.ts";
import { NONE, type Tree } from "../tree.ts";

/** Whether the expression is a dotted name, optionally called at its end. */
export function isSimpleDecoratorExpression(tree: Tree, id: number): boolean {
  const kind = tree.kind[id]!;
  if (isNameKind(kind)) return true;
  if (kind !== Kind.power) return false;
  const first = tree.first[id]!;
  if (first === NONE || !isNameKind(tree.kind[first]!)) return false;
  for (let at = tree.next[first]!; at !== NONE; at = tree.next[at]!) {
    if (!isSimpleTrailer(tree, at, tree.next[at] === NONE)) return false;
  }
  return true;
}

/** `.name`, or for the last trailer a call with at most one child between its parentheses. */
function isSimpleTrailer(tree: Tree, id: number, isLast: boolean): boolean {
  if (tree.kind[id] !== Kind.trailer) return false;
  const first = tree.first[id]!;
  const last = tree.last[id]!;
  if (tree.kind[first] === Kind.DOT) return tree.next[first] === last && isNameKind(tree.kind[last]!);
  if (!isLast || tree.kind[first] !== Kind.LPAR || tree.kind[last] !== Kind.RPAR) return false;
  const second = tree.next[first]!;
  return second === last || tree.next[second] === last;
}
