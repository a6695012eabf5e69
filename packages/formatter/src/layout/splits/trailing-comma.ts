import { Priority } from "../../lines/delimiters.ts";
import type { Line } from "../../lines/line.ts";
import { Feature } from "../../mode/target-version.ts";
import { kindSet } from "../../syntax/kind-set.ts";
import { Kind } from "../../syntax/kinds.ts";
import { annotationType, isPartOfAnnotation } from "../../syntax/predicates/annotations.ts";
import { isVararg } from "../../syntax/predicates/operators.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";

const parameterLists = kindSet([Kind.typedargslist]);
const argumentLists = kindSet([Kind.arglist, Kind.argument]);

/**
 * Whether `leaves` from `start` up to `end`, split off from `original` as the content of a bracket pair, must end with
 * a comma: names of an import, and
 * parameters of a function unless there is a comma already (Black: _ensure_trailing_comma).
 */
export function needsTrailingComma(
  leaves: readonly number[],
  start: number,
  end: number,
  original: Line,
  opening: number,
): boolean {
  if (start === end) return false;
  if (original.isImport()) return true;
  const tree = original.tree;
  if (!original.isDef() || tree.kind[opening] !== Kind.LPAR || tree.textLength(opening) === 0) return false;
  for (let i = start; i < end; i++) {
    if (tree.kind[leaves[i]!] === Kind.COMMA && !isPartOfAnnotation(tree, leaves[i]!)) return false;
  }
  // Comments are not part of the tree: the first leaf that is tells where this is.
  let located = start;
  while (located < end && tree.parent[leaves[located]!] === NONE) located++;
  if (located === end) return true;
  if (annotationType(tree, leaves[located]!) === "return") return false;
  // Part of a union written with `|`.
  const after = tree.next[tree.parent[leaves[located]!]!]!;
  return after === NONE || tree.kind[after] !== Kind.VBAR;
}

/** Whether a comma may follow `leaf` in the versions aimed at (Black: _can_add_trailing_comma). */
export function canAddTrailingComma(tree: Tree, leaf: number, features: number): boolean {
  if (isVararg(tree, leaf, parameterLists)) return (features & Feature.TRAILING_COMMA_IN_DEF) !== 0;
  if (isVararg(tree, leaf, argumentLists)) return (features & Feature.TRAILING_COMMA_IN_CALL) !== 0;
  return true;
}

/** Adds a comma at the end of a line split at commas, where none is (Black: _safe_add_trailing_comma). */
export function addTrailingComma(line: Line, safe: boolean, delimiterPriority: number): void {
  if (!safe || delimiterPriority !== Priority.COMMA) return;
  const tree = line.tree;
  const last = tree.kind[line.leaves[line.leaves.length - 1]!];
  if (last === Kind.COMMA || last === Kind.STANDALONE_COMMENT) return;
  line.append(tree.makeLeaf(Kind.COMMA, ","));
}
