import { cloneLeaf } from "../lines/append-leaves.ts";
import type { Line } from "../lines/line.ts";
import { isNameKind, Kind } from "../syntax/kinds.ts";

/**
 * The line with the spaces around `**` dropped where both operands are names, numbers or dotted names;
 * `undefined` when nothing is to be changed (Black: trans.py hug_power_op).
 */
export function hugPowerOperators(line: Line): Line | undefined {
  if (!line.hasDoubleStar) return undefined;
  const { tree, leaves } = line;
  let first = 0;
  while (first < leaves.length && !isHuggedOperator(line, first)) first++;
  if (first === leaves.length) return undefined;

  const hugged = line.clone();
  let afterOperator = false;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    const isOperator = i >= first && isHuggedOperator(line, i);
    let shown = leaf;
    if (afterOperator || isOperator) {
      shown = cloneLeaf(tree, leaf);
      tree.depth[shown] = tree.depth[leaf]!;
    }
    afterOperator = isOperator;
    hugged.append(shown, true);
    for (const comment of line.commentsAfter(leaf)) hugged.append(comment, true);
  }
  return hugged;
}

function isHuggedOperator(line: Line, index: number): boolean {
  const { tree, leaves } = line;
  if (index === 0 || index >= leaves.length - 1 || tree.kind[leaves[index]!] !== Kind.DOUBLESTAR)
    return false;
  return (
    isSimpleBase(line, index - 1) &&
    tree.kind[leaves[index - 1]!] !== Kind.KW_LAMBDA &&
    isSimpleExponent(line, index + 1)
  );
}

function isNameOrNumber(kind: number): boolean {
  return kind === Kind.NUMBER || isNameKind(kind);
}

function isUnary(kind: number): boolean {
  return kind === Kind.PLUS || kind === Kind.MINUS || kind === Kind.TILDE;
}

/** Whether the leaf at `index`, before `**`, ends a simple operand (Black: is_simple_operand with kind -1). */
function isSimpleBase(line: Line, index: number): boolean {
  return isNameOrNumber(line.tree.kind[line.leaves[index]!]!) && isSimpleChainBefore(line, index);
}

/** Whether the leaf at `index`, after `**`, begins a simple operand (Black: is_simple_operand with kind 1). */
function isSimpleExponent(line: Line, index: number): boolean {
  const { tree, leaves } = line;
  const kind = tree.kind[leaves[index]!]!;
  if (isNameOrNumber(kind)) return isSimpleChainAfter(line, index);
  if (!isUnary(kind) || index + 1 >= leaves.length) return false;
  return isNameOrNumber(tree.kind[leaves[index + 1]!]!) && isSimpleChainAfter(line, index + 1);
}

/** Walks the attribute chain to the left; a call or subscript in it is not simple (Black: handle_is_simple_look_up_prev). */
function isSimpleChainBefore(line: Line, index: number): boolean {
  const { tree, leaves } = line;
  let callSeen = false;
  for (let i = index; i >= 0; i--) {
    const kind = tree.kind[leaves[i]!]!;
    if (kind === Kind.RPAR || kind === Kind.RSQB) callSeen = true;
    if (i < index && !continuesChain(kind, tree.kind[leaves[i + 1]!]!)) return !callSeen;
  }
  return true;
}

/** Whether a leaf of `kind` belongs to the chain that goes on with a leaf of kind `after` (Black: is_expression_chained). */
function continuesChain(kind: number, after: number): boolean {
  if (isNameKind(after)) return kind === Kind.DOT;
  if (after === Kind.RPAR || after === Kind.RSQB) return kind === Kind.RSQB || kind === Kind.RPAR;
  if (after === Kind.LPAR || after === Kind.LSQB) {
    return isNameKind(kind) || kind === Kind.LPAR || kind === Kind.LSQB;
  }
  return false;
}

/** Walks the attribute chain to the right (Black: handle_is_simple_lookup_forward). */
function isSimpleChainAfter(line: Line, index: number): boolean {
  const { tree, leaves } = line;
  for (let i = index; i < leaves.length; i++) {
    const kind = tree.kind[leaves[i]!]!;
    if (kind === Kind.LPAR || kind === Kind.LSQB) return false;
    if (kind === Kind.KW_FOR || !(isNameKind(kind) || kind === Kind.DOT)) return true;
  }
  return true;
}
