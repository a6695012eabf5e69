/** Redundant parentheses of an atom (`linegen.py` maybe_make_parens_invisible_in_atom). */
import { Feature } from "../../mode/target-version.ts";
import { kindSet } from "../../syntax/kind-set.ts";
import { Kind } from "../../syntax/kinds.ts";
import {
  isAtomWithInvisibleParens,
  isEmptyTuple,
  isGenerator,
  isOneTuple,
  isTuple,
  isTupleContainingStar,
  isTupleContainingWalrus,
  isWalrusAssignment,
  isYield,
} from "../../syntax/predicates/atoms.ts";
import { hasSiblingWithKind, nextKind, parentKind } from "../../syntax/predicates/family.ts";
import { hasVisiblePrefix } from "../../syntax/predicates/prefixes.ts";
import { isTypeIgnoreCommentString } from "../../syntax/predicates/type-comments.ts";
import type { Tree } from "../../syntax/tree.ts";
import { strip } from "../../util/python-text.ts";
import { maxDelimiterPriorityInAtom } from "../atom-priority.ts";
import { Priority } from "../delimiters.ts";

/** What a caller of `maybeMakeParensInvisibleInAtom` allows, as bits. */
export const ParenOption = {
  REMOVE_BRACKETS_AROUND_COMMA: 1,
  ALLOW_STAR_EXPR: 2,
  REMOVE_GENERATOR_PARENS: 4,
} as const;

/** Where an assignment expression needs its parentheses. */
const walrusParents = kindSet([
  Kind.annassign,
  Kind.expr_stmt,
  Kind.assert_stmt,
  Kind.return_stmt,
  Kind.yield_arg,
  Kind.yield_expr,
  Kind.except_clause,
  Kind.funcdef,
  Kind.with_stmt,
  Kind.testlist_gexp,
  Kind.tname,
  Kind.for_stmt,
  Kind.del_stmt,
]);

/**
 * Hides the atom's parentheses, and all those directly inside them, where they are redundant.
 *
 * @param parent the node for whose sake this is done; not always the atom's parent
 * @param features `Feature` bits that the output may use
 * @param options bits of `ParenOption`
 * @returns whether the caller should wrap the node in invisible parentheses
 */
export function maybeMakeParensInvisibleInAtom(
  tree: Tree,
  node: number,
  parent: number,
  features: number,
  options = 0,
): boolean {
  if (mustStayAsIs(tree, node, tree.kind[parent]!, features, options)) return false;
  if (isWalrusAssignment(tree, node) && walrusParents[tree.kind[parent]!] !== 0) return false;
  const first = tree.first[node]!;
  const last = tree.last[node]!;
  if (tree.kind[first] !== Kind.LPAR || tree.kind[last] !== Kind.RPAR) return true;
  const middle = tree.next[first]!;
  if (!startsWithTypeIgnore(tree, middle)) {
    tree.setText(first, "");
    tree.setText(last, "");
  }
  maybeMakeParensInvisibleInAtom(tree, middle, parent, features, options & ~ParenOption.ALLOW_STAR_EXPR);
  if (isAtomWithInvisibleParens(tree, middle)) unwrap(tree, middle, last);
  return false;
}

/** Whether the parentheses mean something, or there are none to hide and none to add. */
function mustStayAsIs(tree: Tree, node: number, parent: number, features: number, options: number): boolean {
  const kind = tree.kind[node]!;
  if (kind !== Kind.atom && kind !== Kind.expr) return true;
  if (isEmptyTuple(tree, node) || isOneTuple(tree, node)) return true;
  const tuple = isTuple(tree, node);
  if (tuple && parent === Kind.asexpr_test) return true;
  if (tuple && parent === Kind.with_stmt && hasSiblingWithKind(tree, node, Kind.COMMA)) return true;
  if (parent !== Kind.expr_stmt && isYield(tree, node)) return true;
  const generator = tuple && isGenerator(tree, node);
  const dropsGenerator = generator && (options & ParenOption.REMOVE_GENERATOR_PARENS) !== 0;
  if (
    (options & ParenOption.REMOVE_BRACKETS_AROUND_COMMA) === 0 &&
    !dropsGenerator &&
    maxDelimiterPriorityInAtom(tree, node) >= Priority.COMMA &&
    !(tuple && isBareExceptTuple(tree, node, features))
  ) {
    return true;
  }
  if (!tuple) return false;
  if (isTupleContainingWalrus(tree, node)) return true;
  if ((options & ParenOption.ALLOW_STAR_EXPR) === 0 && isTupleContainingStar(tree, node)) return true;
  return generator && !dropsGenerator;
}

/** Several exception types without `as` need no parentheses from Python 3.14 on (PEP 758). */
function isBareExceptTuple(tree: Tree, node: number, features: number): boolean {
  return (
    (features & Feature.UNPARENTHESIZED_EXCEPT_TYPES) !== 0 &&
    parentKind(tree, node) === Kind.except_clause &&
    nextKind(tree, node) !== Kind.KW_AS
  );
}

function startsWithTypeIgnore(tree: Tree, id: number): boolean {
  return hasVisiblePrefix(tree, id) && isTypeIgnoreCommentString(strip(tree.prefix(id)));
}

/** Replaces the atom by what is between its invisible parentheses and keeps the comments before these. */
function unwrap(tree: Tree, atom: number, outerClosing: number): void {
  const opening = tree.first[atom]!;
  const inner = tree.next[opening]!;
  const closing = tree.last[atom]!;
  tree.remove(inner);
  tree.replace(atom, inner);
  if (hasVisiblePrefix(tree, opening)) tree.setPrefix(inner, tree.prefix(opening) + tree.prefix(inner));
  if (hasVisiblePrefix(tree, closing)) {
    tree.setPrefix(outerClosing, tree.prefix(closing) + tree.prefix(outerClosing));
  }
}
