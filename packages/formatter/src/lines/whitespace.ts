/** Spaces before a leaf within its line (`nodes.py` whitespace). */

import { hasPreview, type Mode } from "../mode/mode.ts";
import { Preview } from "../mode/preview.ts";
import { isClosingBracket, isNameKind, isOpeningBracket, Kind } from "../syntax/kinds.ts";
import { parentKind } from "../syntax/predicates/family.ts";
import {
  isSimpleExponentiation,
  isStar,
  isVararg,
  isVarargsSpecial,
  mathOperators,
  varargsAndUnpackingParents,
} from "../syntax/predicates/operators.ts";
import { NONE, type Tree } from "../syntax/tree.ts";

/** Decided: none. */
const NO = 0;
/** The rules of the preceding leaf leave the decision to those of the parent. */
const OPEN = 3;

/**
 * How many spaces go before the leaf. Leaves before it in the line must have their `space` already: a default
 * value's spacing is that of its equal sign.
 *
 * @param complexSubscript whether the leaf is in a subscript with more than names and literals
 */
export function whitespace(tree: Tree, leaf: number, complexSubscript: boolean, mode: Mode): number {
  const kind = tree.kind[leaf]!;
  if (
    isClosingBracket(kind) ||
    kind === Kind.COMMA ||
    kind === Kind.STANDALONE_COMMENT ||
    kind === Kind.BANG ||
    kind === Kind.FSTRING_MIDDLE ||
    kind === Kind.FSTRING_END
  ) {
    return NO;
  }
  if (kind === Kind.COMMENT) return 2;
  const parent = tree.parent[leaf]!;
  const parentType = tree.kind[parent]!;
  if (kind === Kind.COLON && !isSubscriptPart(parentType) && parentType !== Kind.subscriptlist) return NO;
  if (kind === Kind.LBRACE && parentType === Kind.fstring_replacement_field) return NO;

  const prev = tree.prev[leaf]!;
  if (prev === NONE) {
    const decided = afterPrecedingLeaf(tree, kind, parent, complexSubscript);
    if (decided !== OPEN) return decided;
  } else {
    const before = tree.kind[prev]!;
    if (isOpeningBracket(before) || before === Kind.BANG) return NO;
  }
  const decided = withinParent(tree, kind, parent, prev, complexSubscript);
  if (decided !== OPEN) return decided;
  if (hasPreview(mode, Preview.simplify_power_operator_hugging) && isHuggedPower(tree, leaf, kind, parent)) {
    return NO;
  }
  return 1;
}

function isSubscriptPart(kind: number): boolean {
  return kind === Kind.subscript || kind === Kind.sliceop;
}

/** The leaf is its parent's first child: what precedes the parent decides. */
function afterPrecedingLeaf(tree: Tree, kind: number, parent: number, complexSubscript: boolean): number {
  const before = tree.prevLeaf(parent);
  if (before === NONE) return NO;
  const beforeKind = tree.kind[before]!;
  if (isOpeningBracket(beforeKind)) return NO;
  if (kind === Kind.COLON) {
    if (beforeKind === Kind.COLON) return NO;
    return beforeKind !== Kind.COMMA && !complexSubscript ? NO : 1;
  }
  const beforeParent = tree.parent[before]!;
  const beforeParentKind = beforeParent === NONE ? NONE : tree.kind[beforeParent]!;
  if (beforeKind === Kind.EQUAL) {
    switch (beforeParentKind) {
      case Kind.arglist:
      case Kind.argument:
      case Kind.parameters:
      case Kind.varargslist:
        return NO;
      case Kind.typedargslist:
        return tree.space[before]!;
      default:
        return OPEN;
    }
  }
  if (beforeKind === Kind.STAR && beforeParentKind === Kind.star_expr) {
    const starParent = parentKind(tree, beforeParent);
    if (starParent === Kind.subscriptlist || starParent === Kind.tname_star) return NO;
  }
  if (isVarargsSpecial(beforeKind)) return isVararg(tree, before, varargsAndUnpackingParents) ? NO : OPEN;
  if (beforeKind === Kind.COLON) {
    if (isSubscriptPart(beforeParentKind)) return complexSubscript ? 1 : NO;
    return OPEN;
  }
  if (beforeParentKind === Kind.factor && mathOperators[beforeKind] !== 0) return NO;
  if (beforeKind === Kind.AT && parentKind(tree, parent) === Kind.decorator) return NO;
  return OPEN;
}

/** The parent's own rule. `prev` is the previous sibling or `NONE`. */
function withinParent(
  tree: Tree,
  kind: number,
  parent: number,
  prev: number,
  complexSubscript: boolean,
): number {
  const before = prev === NONE ? NONE : tree.kind[prev]!;
  switch (tree.kind[parent]) {
    case Kind.parameters:
    case Kind.arglist:
      return before !== Kind.COMMA ? NO : OPEN;
    case Kind.varargslist:
      return prev !== NONE && before !== Kind.COMMA ? NO : OPEN;
    case Kind.typedargslist:
      return inTypedArguments(tree, kind, prev, before);
    case Kind.tname:
    case Kind.tname_star:
      return prev === NONE && precedingKind(tree, parent) !== Kind.COMMA ? NO : OPEN;
    case Kind.trailer:
      if (kind === Kind.LPAR || kind === Kind.RPAR) return NO;
      if (prev === NONE) return kind === Kind.DOT || kind === Kind.LSQB ? NO : OPEN;
      return before !== Kind.COMMA ? NO : OPEN;
    case Kind.argument:
      return inArgument(tree, kind, parent, prev, before);
    case Kind.decorator:
      return NO;
    case Kind.dotted_name: {
      if (prev !== NONE) return NO;
      const preceding = precedingKind(tree, parent);
      return preceding === NONE || preceding === Kind.AT || preceding === Kind.DOT ? NO : OPEN;
    }
    case Kind.classdef:
      return kind === Kind.LPAR || before === Kind.LPAR ? NO : OPEN;
    case Kind.subscript:
    case Kind.sliceop:
      if (prev === NONE) return parentKind(tree, parent) === Kind.subscriptlist ? 1 : NO;
      if (kind === Kind.COLONEQUAL || before === Kind.COLONEQUAL) return 1;
      return complexSubscript ? OPEN : NO;
    case Kind.atom:
      return prev !== NONE && kind === Kind.DOT ? NO : OPEN;
    case Kind.dictsetmaker:
      return before === Kind.DOUBLESTAR ? NO : OPEN;
    case Kind.factor:
    case Kind.star_expr:
      return afterUnaryOperator(tree, kind, parent, prev);
    case Kind.import_from:
      return inImportFrom(kind, before);
    case Kind.except_clause:
      return kind === Kind.STAR ? NO : OPEN;
    case Kind.typeparams:
      return kind === Kind.LSQB ? NO : OPEN;
    case Kind.typevartuple:
    case Kind.paramspec:
      return isStar(before) ? NO : OPEN;
    default:
      return OPEN;
  }
}

function precedingKind(tree: Tree, id: number): number {
  const leaf = tree.prevLeaf(id);
  return leaf === NONE ? NONE : tree.kind[leaf]!;
}

function inTypedArguments(tree: Tree, kind: number, prev: number, before: number): number {
  if (prev === NONE) return NO;
  if (kind === Kind.EQUAL) return before !== Kind.tname && before !== Kind.tname_star ? NO : OPEN;
  if (before === Kind.EQUAL) return tree.space[prev]!;
  return before !== Kind.COMMA ? NO : OPEN;
}

function inArgument(tree: Tree, kind: number, parent: number, prev: number, before: number): number {
  if (kind === Kind.EQUAL) return NO;
  if (prev === NONE) {
    const preceding = precedingKind(tree, parent);
    return preceding === NONE || preceding === Kind.LPAR ? NO : OPEN;
  }
  return before === Kind.EQUAL || isVarargsSpecial(before) ? NO : OPEN;
}

function afterUnaryOperator(tree: Tree, kind: number, parent: number, prev: number): number {
  if (prev !== NONE) return isNameKind(kind) || kind === Kind.NUMBER || kind === Kind.STRING ? NO : OPEN;
  const preceding = tree.prevLeaf(parent);
  if (preceding === NONE) return NO;
  const precedingType = tree.kind[preceding]!;
  if (isOpeningBracket(precedingType)) return NO;
  const precedingParent = parentKind(tree, preceding);
  if (precedingType === Kind.COLON && isSubscriptPart(precedingParent)) return NO;
  return precedingType === Kind.EQUAL && precedingParent === Kind.argument ? NO : OPEN;
}

function inImportFrom(kind: number, before: number): number {
  if (kind === Kind.DOT) return before === Kind.DOT ? NO : OPEN;
  if (!isNameKind(kind)) return OPEN;
  if (kind === Kind.KW_IMPORT) return 1;
  return before === Kind.DOT ? NO : OPEN;
}

/** Whether the leaf is the operator of a simple power or follows it. */
function isHuggedPower(tree: Tree, leaf: number, kind: number, parent: number): boolean {
  if (kind === Kind.DOUBLESTAR && isSimpleExponentiation(tree, parent)) return true;
  const before = tree.prevLeaf(leaf);
  if (before === NONE || tree.kind[before] !== Kind.DOUBLESTAR) return false;
  const power = tree.parent[before]!;
  return power !== NONE && isSimpleExponentiation(tree, power);
}
