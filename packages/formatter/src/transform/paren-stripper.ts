import { appendLeaves } from "../lines/append-leaves.ts";
import type { Line } from "../lines/line.ts";
import { noteGainedChildren } from "../syntax/gained-children.ts";
import { isClosingBracket, isNameKind, Kind } from "../syntax/kinds.ts";
import { isEmptyLpar, isEmptyRpar } from "../syntax/predicates/brackets.ts";
import { parentKind, replaceChild } from "../syntax/predicates/family.ts";
import { NONE, type Tree } from "../syntax/tree.ts";
import { copyString } from "./string-leaf.ts";
import { stringTrailerEnd } from "./string-trailer.ts";

/** Drops parentheses around a string, with its trailer, that nothing needs (Black: StringParenStripper). */
export function stripStringParens(line: Line): Line[] | undefined {
  const { tree, leaves } = line;
  const cuts: number[] = [];
  for (const index of strippableStrings(line)) {
    const closing = stringTrailerEnd(tree, leaves, index);
    // Comments stay with their parentheses.
    if (line.commentsAfter(leaves[index - 1]!).length > 0) continue;
    if (line.commentsAfter(leaves[closing]!).length > 0) continue;
    cuts.push(index, closing);
  }
  if (cuts.length === 0) return undefined;
  line.hasSettledStrings = false;
  // One string may stand within the trailer of another: their places interleave.
  cuts.sort((a, b) => a - b);
  return [withoutParens(line, cuts)];
}

/** Indices of the strings whose parentheses can go (Black: do_match). */
function strippableStrings(line: Line): number[] {
  const { tree, leaves } = line;
  const indices: number[] = [];
  for (let i = 0; i < leaves.length; i++) {
    if (tree.kind[leaves[i]!] !== Kind.STRING || !isStrippable(tree, leaves, i)) continue;
    indices.push(i);
    while (i < leaves.length - 1 && tree.kind[leaves[i + 1]!] === Kind.STRING) i++;
  }
  return indices;
}

function isStrippable(tree: Tree, leaves: readonly number[], index: number): boolean {
  const parent = tree.parent[leaves[index]!]!;
  if (parent !== NONE && parentKind(tree, parent) === Kind.simple_stmt) return false;
  if (index === 0) return false;
  const opening = leaves[index - 1]!;
  if (tree.kind[opening] !== Kind.LPAR || isEmptyLpar(tree, opening)) return false;
  const end = stringTrailerEnd(tree, leaves, index);
  if (index >= 2) {
    // A dictionary value, a call, or something called that was returned or looked up.
    const before = tree.kind[leaves[index - 2]!]!;
    if (before === Kind.COLON || isNameKind(before) || isClosingBracket(before)) return false;
    if (hasPercent(tree, leaves, index - 1, end) && bindsAsTightAsPercent(tree, leaves[index - 2]!))
      return false;
  }
  if (end >= leaves.length || tree.kind[leaves[end]!] !== Kind.RPAR || isEmptyRpar(tree, leaves[end]!))
    return false;
  return end + 1 >= leaves.length || !bindsTighterThanPercent(tree.kind[leaves[end + 1]!]!);
}

function hasPercent(tree: Tree, leaves: readonly number[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (tree.kind[leaves[i]!] === Kind.PERCENT) return true;
  return false;
}

/** Whether the leaf before the parentheses would take the string away from its `%`. */
function bindsAsTightAsPercent(tree: Tree, leaf: number): boolean {
  switch (tree.kind[leaf]) {
    case Kind.STAR:
    case Kind.AT:
    case Kind.SLASH:
    case Kind.DOUBLESLASH:
    case Kind.PERCENT:
    case Kind.TILDE:
    case Kind.DOUBLESTAR:
    case Kind.AWAIT:
    case Kind.LSQB:
    case Kind.LPAR:
      return true;
    case Kind.PLUS:
    case Kind.MINUS:
      return parentKind(tree, leaf) === Kind.factor;
    default:
      return false;
  }
}

function bindsTighterThanPercent(kind: number): boolean {
  return kind === Kind.DOUBLESTAR || kind === Kind.LSQB || kind === Kind.LPAR || kind === Kind.DOT;
}

/** `cuts`: ascending indices of the strings and of the closing parentheses (Black: _transform_to_new_line). */
function withoutParens(line: Line, cuts: readonly number[]): Line {
  const { tree, leaves } = line;
  const result = line.clone();
  let done = 0;
  for (const index of cuts) {
    const leaf = leaves[index]!;
    if (tree.kind[leaf] === Kind.STRING) {
      appendLeaves(result, line, leaves.slice(done, index - 1));
      removeParenthesis(tree, leaves[index - 1]!);
      const copy = copyString(tree, leaf);
      replaceChild(tree, leaf, copy);
      result.append(copy);
      for (const comment of line.commentsAfter(leaf)) result.append(comment, true);
    } else {
      appendLeaves(result, line, leaves.slice(done, index));
      removeParenthesis(tree, leaf);
    }
    done = index + 1;
  }
  appendLeaves(result, line, leaves.slice(done));
  return result;
}

function removeParenthesis(tree: Tree, leaf: number): void {
  const parent = tree.parent[leaf]!;
  if (parent !== NONE) noteGainedChildren(tree, parent, -1);
  tree.remove(leaf);
}
