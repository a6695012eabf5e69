import type { Line } from "../../lines/line.ts";
import { isNameKind, Kind } from "../../syntax/kinds.ts";
import { isEmptyLpar, isEmptyPar } from "../../syntax/predicates/brackets.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import type { Tree } from "../../syntax/tree.ts";
import { isBareStringTuple, prefersParenWrap } from "../split/prefers-wrap.ts";
import { stringTrailerEnd } from "../string-trailer.ts";

/**
 * Index of the string that may get parentheses, -1 when there is none: returned, yielded, an annotation, the end of
 * a ternary, an assertion's message, assigned, a dictionary value, the body of a lambda, a whole element
 * (Black: the *_match methods of StringParenWrapper).
 */
export function wrappableString(line: Line): number {
  const { tree, leaves } = line;
  const found =
    afterKeyword(tree, leaves) ||
    returnAnnotation(tree, leaves) ||
    assertionMessage(tree, leaves) ||
    assignedValue(tree, leaves) ||
    valueAfterColon(tree, leaves);
  if (found !== 0) return found;
  if (isBareStringTuple(tree, leaves, line.insideBrackets) || prefersParenWrap(tree, leaves)) return 0;
  return -1;
}

// Each of the following returns the index of the string, which is never the first leaf, or 0.

function stringAt(tree: Tree, leaves: readonly number[], index: number): boolean {
  return index < leaves.length && tree.kind[leaves[index]!] === Kind.STRING;
}

/** `index`, or the one after it where an unprinted parenthesis stands at `index`. */
function skipEmptyPar(tree: Tree, leaves: readonly number[], index: number): number {
  return index < leaves.length && isEmptyPar(tree, leaves[index]!) ? index + 1 : index;
}

/** After `return`, `yield` or the `else` of a ternary. */
function afterKeyword(tree: Tree, leaves: readonly number[]): number {
  const parent = parentKind(tree, leaves[0]!);
  const kind = tree.kind[leaves[0]!];
  const isReturn = parent === Kind.return_stmt || parent === Kind.yield_expr;
  const matches = isReturn
    ? kind === Kind.KW_RETURN || kind === Kind.KW_YIELD
    : parent === Kind.test && kind === Kind.KW_ELSE;
  if (!matches) return 0;
  const index = skipEmptyPar(tree, leaves, 1);
  return stringAt(tree, leaves, index) ? index : 0;
}

/** A return annotation that ends the line but for the colon. */
function returnAnnotation(tree: Tree, leaves: readonly number[]): number {
  const arrow = leaves.findIndex((leaf) => tree.kind[leaf] === Kind.RARROW);
  if (arrow === -1) return 0;
  let index = arrow + 1;
  if (index < leaves.length && isEmptyLpar(tree, leaves[index]!)) index++;
  if (!stringAt(tree, leaves, index)) return 0;
  const end = stringTrailerEnd(tree, leaves, index);
  return end === leaves.length - 1 && tree.kind[leaves[end]!] === Kind.COLON ? index : 0;
}

function assertionMessage(tree: Tree, leaves: readonly number[]): number {
  if (parentKind(tree, leaves[0]!) !== Kind.assert_stmt || tree.kind[leaves[0]!] !== Kind.KW_ASSERT) return 0;
  for (let i = 0; i < leaves.length; i++) {
    if (tree.kind[leaves[i]!] !== Kind.COMMA) continue;
    const index = skipEmptyPar(tree, leaves, i + 1);
    if (stringAt(tree, leaves, index) && stringTrailerEnd(tree, leaves, index) >= leaves.length) return index;
  }
  return 0;
}

function assignedValue(tree: Tree, leaves: readonly number[]): number {
  const parent = parentKind(tree, leaves[0]!);
  if (parent !== Kind.expr_stmt && parent !== Kind.argument && parent !== Kind.power) return 0;
  if (!isNameKind(tree.kind[leaves[0]!]!)) return 0;
  for (let i = 0; i < leaves.length; i++) {
    const kind = tree.kind[leaves[i]!];
    if (kind !== Kind.EQUAL && kind !== Kind.PLUSEQUAL) continue;
    const index = skipEmptyPar(tree, leaves, i + 1);
    if (endsLine(tree, leaves, index, parent === Kind.argument)) return index;
  }
  return 0;
}

/** In a dictionary or a lambda. */
function valueAfterColon(tree: Tree, leaves: readonly number[]): number {
  const parent = parentKind(tree, leaves[0]!);
  const grandparent = parentKind(tree, tree.parent[leaves[0]!]!);
  if (
    parent !== Kind.dictsetmaker &&
    parent !== Kind.lambdef &&
    grandparent !== Kind.dictsetmaker &&
    grandparent !== Kind.lambdef
  ) {
    return 0;
  }
  for (let i = 0; i < leaves.length - 1; i++) {
    if (tree.kind[leaves[i]!] !== Kind.COLON) continue;
    const index = skipEmptyPar(tree, leaves, i + 1);
    if (endsLine(tree, leaves, index, true)) return index;
  }
  return 0;
}

/** Whether adjacent strings start at `index` that end the line with their trailer, and a comma if that is allowed. */
function endsLine(tree: Tree, leaves: readonly number[], index: number, allowsComma: boolean): boolean {
  if (!stringAt(tree, leaves, index)) return false;
  let last = index;
  while (stringAt(tree, leaves, last + 1)) last++;
  let end = stringTrailerEnd(tree, leaves, last);
  if (allowsComma && end < leaves.length && tree.kind[leaves[end]!] === Kind.COMMA) end++;
  return end >= leaves.length;
}
