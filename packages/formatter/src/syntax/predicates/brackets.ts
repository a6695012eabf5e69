/** Parentheses that are there but not printed, and bracket contents (`nodes.py`). */
import { isClosingBracket, isOpeningBracket, Kind } from "../kinds.ts";
import { NONE, type Tree } from "../tree.ts";

/** Whether the kind is a bracket of either side (`BRACKETS`). */
export function isBracket(kind: number): boolean {
  return isOpeningBracket(kind) || isClosingBracket(kind);
}

/** An opening parenthesis without text (`is_empty_lpar`). */
export function isEmptyLpar(tree: Tree, leaf: number): boolean {
  return tree.kind[leaf] === Kind.LPAR && tree.textLength(leaf) === 0;
}

/** A closing parenthesis without text (`is_empty_rpar`). */
export function isEmptyRpar(tree: Tree, leaf: number): boolean {
  return tree.kind[leaf] === Kind.RPAR && tree.textLength(leaf) === 0;
}

/** A parenthesis without text (`is_empty_par`). */
export function isEmptyPar(tree: Tree, leaf: number): boolean {
  return isEmptyLpar(tree, leaf) || isEmptyRpar(tree, leaf);
}

/** How many brackets are open at once below `root`, at most. */
export function depthOfBrackets(tree: Tree, root: number): number {
  const last = tree.lastLeaf(root);
  let depth = 0;
  let deepest = 0;
  for (let leaf = tree.firstLeaf(root); leaf !== NONE; leaf = leaf === last ? NONE : tree.nextLeaf(leaf)) {
    if (isOpeningBracket(tree.kind[leaf]!)) deepest = Math.max(deepest, ++depth);
    else if (isClosingBracket(tree.kind[leaf]!)) depth--;
  }
  return deepest;
}

/** Leaves to look at one by one before bracket pairs are passed over. */
const NEAR = 8;

/** Where the opening brackets of a line stand, as far as it has been looked at. */
interface Positions {
  seen: number;
  readonly of: Map<number, number>;
}

const positions = new WeakMap<readonly number[], Positions>();

/** Index of an opening bracket in the list; -1 where it is not in it. */
function openingPosition(tree: Tree, leaves: readonly number[], opening: number): number {
  let known = positions.get(leaves);
  if (known === undefined) {
    known = { seen: 0, of: new Map() };
    positions.set(leaves, known);
  }
  for (; known.seen < leaves.length; known.seen++) {
    const leaf = leaves[known.seen]!;
    if (isOpeningBracket(tree.kind[leaf]!)) known.of.set(leaf, known.seen);
  }
  const at = known.of.get(opening) ?? -1;
  // A comma may have been taken off the list since, and another leaf have come in its place.
  return at !== -1 && leaves[at] === opening ? at : -1;
}

/**
 * Whether the brackets hold one element, with or without a trailing comma (`is_one_sequence_between`). `leaves` is
 * the line's list, in which the content ends before index `end`; bracket depths must have been marked.
 *
 * Walks from the closing bracket to the left and stops at the second comma, which is usually near. Where it is not,
 * bracket pairs on the way are passed over in one step.
 */
export function isOneSequenceBetween(
  tree: Tree,
  opening: number,
  closing: number,
  leaves: readonly number[],
  end: number,
  openingKind: number = Kind.LPAR,
): boolean {
  if (tree.kind[opening] !== openingKind) return false;
  if (tree.kind[closing] !== openingKind + (Kind.RPAR - Kind.LPAR)) return false;
  const depth = tree.depth[closing]! + 1;
  let commas = 0;
  for (let i = end - 1; i >= 0; i--) {
    const leaf = leaves[i]!;
    if (leaf === opening) return true;
    if (end - i > NEAR && isClosingBracket(tree.kind[leaf]!)) {
      const start = openingPosition(tree, leaves, tree.mate[leaf]!);
      // What stands in a pair is deeper than what is looked for.
      if (start !== -1 && start < i && leaves[start] !== opening) i = start;
      continue;
    }
    if (tree.kind[leaf] !== Kind.COMMA || tree.depth[leaf] !== depth) continue;
    if (++commas > 1 || isArgumentComma(tree, leaf)) return false;
  }
  return false;
}

/** Whether a comma stands between several arguments or parameters, or behind them. */
export function isArgumentComma(tree: Tree, comma: number): boolean {
  const parent = tree.parent[comma]!;
  if (parent < 0) return false;
  const kind = tree.kind[parent]!;
  return kind === Kind.arglist || kind === Kind.typedargslist;
}
