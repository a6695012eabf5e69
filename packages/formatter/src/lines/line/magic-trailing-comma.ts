import { Kind } from "../../syntax/kinds.ts";
import { isOneTuple } from "../../syntax/predicates/atoms.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { lineShape } from "./line-shape.ts";
import type { LineView } from "./line-view.ts";

/**
 * Whether the line ends with a comma that asks for one element per line once the closing bracket `closing` is
 * added: not that of a subscript with one element, not that of a one-tuple (Black: has_magic_trailing_comma).
 *
 * @param isOneElement whether the brackets hold one element, and both stand on the line
 */
export function hasMagicTrailingComma(line: LineView, closing: number, isOneElement: boolean): boolean {
  const { tree, leaves } = line;
  if (leaves.length === 0 || tree.kind[leaves[leaves.length - 1]!] !== Kind.COMMA) return false;
  const kind = tree.kind[closing];
  if (kind === Kind.RBRACE) return true;
  const opening = tree.mate[closing]!;
  if (kind === Kind.RSQB) {
    const parent = tree.parent[closing]!;
    if (parent === NONE || tree.kind[parent] !== Kind.trailer || opening === NONE) return true;
    return !isOneElement;
  }
  if (lineShape.importStatement(line)) return true;
  return opening !== NONE && !isOneElement;
}

/** Whether the comma before `closing` makes a one-tuple, even if the tuple's start is on an earlier line. */
export function isRequiredTupleComma(tree: Tree, closing: number): boolean {
  const parent = tree.parent[closing]!;
  return parent !== NONE && isOneTuple(tree, parent);
}
