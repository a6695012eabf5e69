import { Kind } from "../../syntax/kinds.ts";
import { isOneTuple } from "../../syntax/predicates/atoms.ts";
import { isOneSequenceBetween } from "../../syntax/predicates/brackets.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { lineShape } from "./line-shape.ts";
import type { LineView } from "./line-view.ts";

/**
 * Whether the line ends with a comma that asks for one element per line once the closing bracket `closing` is
 * added: not that of a subscript with one element, not that of a one-tuple (Black: has_magic_trailing_comma).
 */
export function hasMagicTrailingComma(line: LineView, closing: number): boolean {
  const { tree, leaves } = line;
  if (leaves.length === 0 || tree.kind[leaves[leaves.length - 1]!] !== Kind.COMMA) return false;
  const kind = tree.kind[closing];
  if (kind === Kind.RBRACE) return true;
  const opening = tree.mate[closing]!;
  if (kind === Kind.RSQB) {
    const parent = tree.parent[closing]!;
    if (parent === NONE || tree.kind[parent] !== Kind.trailer || opening === NONE) return true;
    return !isOneSequenceBetween(tree, opening, closing, leaves, leaves.length, Kind.LSQB);
  }
  if (lineShape.importStatement(line)) return true;
  return opening !== NONE && !isOneSequenceBetween(tree, opening, closing, leaves, leaves.length);
}

/** Whether the comma before `closing` makes a one-tuple, even if the tuple's start is on an earlier line. */
export function isRequiredTupleComma(tree: Tree, closing: number): boolean {
  const parent = tree.parent[closing]!;
  return parent !== NONE && isOneTuple(tree, parent);
}
