/** Parentheses in assignment targets (`linegen.py` _normalize_unpacking_targets and others). */
import { partsOfString } from "../../parse/string-parts.ts";
import { kindSet } from "../../syntax/kind-set.ts";
import { FIRST_NODE, isNameKind, Kind } from "../../syntax/kinds.ts";
import { hasNewlineInPrefix } from "../../syntax/predicates/prefixes.ts";
import { isInterpolated } from "../../syntax/predicates/strings.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";
import { maybeMakeParensInvisibleInAtom } from "./make-invisible.ts";

const sequences = kindSet([
  Kind.exprlist,
  Kind.testlist_star_expr,
  Kind.testlist_gexp,
  Kind.testlist,
  Kind.listmaker,
  Kind.star_expr,
]);

/** Hides redundant parentheses round single elements of an unpacking target (`_normalize_unpacking_targets`). */
export function normalizeUnpackingTargets(tree: Tree, node: number, features: number): void {
  const kind = tree.kind[node]!;
  if (kind < FIRST_NODE) return;
  const isSequence = sequences[kind] !== 0;
  if (!isSequence && kind !== Kind.atom) return;
  let child = tree.first[node]!;
  while (child !== NONE) {
    const next = tree.next[child]!;
    if (isSequence && tree.kind[child] === Kind.atom && !isAtomMultiline(tree, child)) {
      maybeMakeParensInvisibleInAtom(tree, child, node, features);
    }
    normalizeUnpackingTargets(tree, child, features);
    child = next;
  }
}

/** Whether a line break stands within the atom's content (`_is_atom_multiline`). */
export function isAtomMultiline(tree: Tree, atom: number): boolean {
  if (tree.childCount(atom) < 3) return false;
  const middle = tree.next[tree.first[atom]!]!;
  const stop = tree.lastLeaf(middle);
  for (let leaf = tree.firstLeaf(middle); leaf !== NONE; leaf = tree.nextLeaf(leaf)) {
    if (hasNewlineInPrefix(tree, leaf) || hasNewlineInField(tree, leaf)) return true;
    if (leaf === stop) return false;
  }
  return false;
}

/** Whether a line break stands before a token within a field of an f-string or t-string. */
function hasNewlineInField(tree: Tree, leaf: number): boolean {
  if (!isInterpolated(tree, leaf) || (tree.textFlags[leaf]! & TextFlag.MULTILINE) === 0) return false;
  const parts = tree.leaves(partsOfString(tree, leaf));
  return parts.some((part) => part !== parts[0] && hasNewlineInPrefix(tree, part));
}

/**
 * Whether the first child of an assignment is a plain name in parentheses that is annotated: without them the
 * annotation would be recorded (`_is_parenthesized_annotation_target`).
 */
export function isParenthesizedAnnotationTarget(tree: Tree, child: number): boolean {
  const annotation = tree.next[child]!;
  if (annotation === NONE || tree.kind[annotation] !== Kind.annassign) return false;
  let target = child;
  while (tree.kind[target] === Kind.atom && tree.childCount(target) === 3) {
    target = tree.next[tree.first[target]!]!;
  }
  return isNameKind(tree.kind[target]!);
}
