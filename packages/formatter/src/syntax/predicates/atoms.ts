/** What a pair of parentheses holds (`nodes.py`: is_one_tuple, is_walrus_assignment, is_yield and others). */
import { Kind } from "../kinds.ts";
import { NONE, type Tree } from "../tree.ts";
import { isEmptyLpar, isEmptyRpar } from "./brackets.ts";

/** The content when `id` has exactly the children `(`, content, `)`; otherwise `NONE` (`unwrap_singleton_parenthesis`). */
export function unwrapSingletonParenthesis(tree: Tree, id: number): number {
  const first = tree.first[id]!;
  if (first === NONE || tree.kind[first] !== Kind.LPAR) return NONE;
  const middle = tree.next[first]!;
  if (middle === NONE) return NONE;
  const last = tree.next[middle]!;
  if (last === NONE || last !== tree.last[id] || tree.kind[last] !== Kind.RPAR) return NONE;
  return middle;
}

/** The `testlist_gexp` in a pair of parentheses, or `NONE`. */
function parenthesizedSequence(tree: Tree, id: number): number {
  if (tree.kind[id] !== Kind.atom) return NONE;
  const inner = unwrapSingletonParenthesis(tree, id);
  return inner !== NONE && tree.kind[inner] === Kind.testlist_gexp ? inner : NONE;
}

function hasChildOfKind(tree: Tree, id: number, kind: number): boolean {
  if (id === NONE) return false;
  for (let at = tree.first[id]!; at !== NONE; at = tree.next[at]!) if (tree.kind[at] === kind) return true;
  return false;
}

/** Whether the node's children are an element and a comma. */
function isElementAndComma(tree: Tree, id: number): boolean {
  const first = tree.first[id]!;
  if (first === NONE) return false;
  const second = tree.next[first]!;
  return second !== NONE && second === tree.last[id] && tree.kind[second] === Kind.COMMA;
}

/** `()` (`is_empty_tuple`). */
export function isEmptyTuple(tree: Tree, id: number): boolean {
  if (tree.kind[id] !== Kind.atom) return false;
  const first = tree.first[id]!;
  const last = tree.last[id]!;
  return (
    first !== NONE &&
    tree.next[first] === last &&
    tree.kind[first] === Kind.LPAR &&
    tree.kind[last] === Kind.RPAR
  );
}

/** Whether the kind is a tuple without parentheses of its own (`IMPLICIT_TUPLE`). */
function isImplicitTuple(kind: number): boolean {
  return kind === Kind.testlist || kind === Kind.testlist_star_expr || kind === Kind.exprlist;
}

/** A tuple of one element, with or without parentheses (`is_one_tuple`). */
export function isOneTuple(tree: Tree, id: number): boolean {
  const kind = tree.kind[id]!;
  if (kind === Kind.atom) {
    const inner = parenthesizedSequence(tree, id);
    return inner !== NONE && isElementAndComma(tree, inner);
  }
  return isImplicitTuple(kind) && isElementAndComma(tree, id);
}

/** A parenthesised sequence; a generator counts too (`is_tuple`). */
export function isTuple(tree: Tree, id: number): boolean {
  return parenthesizedSequence(tree, id) !== NONE;
}

/** A parenthesised tuple with `:=` in it (`is_tuple_containing_walrus`). */
export function isTupleContainingWalrus(tree: Tree, id: number): boolean {
  return hasChildOfKind(tree, parenthesizedSequence(tree, id), Kind.namedexpr_test);
}

/** A parenthesised tuple with a starred element (`is_tuple_containing_star`). */
export function isTupleContainingStar(tree: Tree, id: number): boolean {
  return hasChildOfKind(tree, parenthesizedSequence(tree, id), Kind.star_expr);
}

/** A parenthesised generator expression (`is_generator`). */
export function isGenerator(tree: Tree, id: number): boolean {
  return hasChildOfKind(tree, parenthesizedSequence(tree, id), Kind.old_comp_for);
}

/** `(name := value)` (`is_walrus_assignment`). */
export function isWalrusAssignment(tree: Tree, id: number): boolean {
  const inner = unwrapSingletonParenthesis(tree, id);
  return inner !== NONE && tree.kind[inner] === Kind.namedexpr_test;
}

/** A `yield` expression, through any parentheses (`is_yield`). */
export function isYield(tree: Tree, id: number): boolean {
  let node = id;
  for (;;) {
    const kind = tree.kind[node]!;
    if (kind === Kind.yield_expr || kind === Kind.KW_YIELD) return true;
    if (kind !== Kind.atom) return false;
    node = unwrapSingletonParenthesis(tree, node);
    if (node === NONE) return false;
  }
}

/** An atom whose parentheses are not printed (`is_atom_with_invisible_parens`). */
export function isAtomWithInvisibleParens(tree: Tree, id: number): boolean {
  if (tree.kind[id] !== Kind.atom) return false;
  const first = tree.first[id]!;
  return first !== NONE && isEmptyLpar(tree, first) && isEmptyRpar(tree, tree.last[id]!);
}
