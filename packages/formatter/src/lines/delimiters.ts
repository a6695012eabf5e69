import { kindSet } from "../syntax/kind-set.ts";
import { isClosingBracket, Kind } from "../syntax/kinds.ts";
import {
  comparators,
  isVararg,
  mathOperators,
  varargsAndUnpackingParents,
} from "../syntax/predicates/operators.ts";
import { NONE, type Tree } from "../syntax/tree.ts";

/** How strongly a delimiter asks for the split; higher goes first (Black: brackets.py *_PRIORITY). */
export const Priority = {
  COMPREHENSION: 20,
  COMMA: 18,
  TERNARY: 16,
  LOGIC: 14,
  STRING: 12,
  COMPARATOR: 10,
  DOT: 1,
} as const;

/** Priority of a binary operator, 0 for every other kind (Black: MATH_PRIORITIES). */
export function mathPriority(kind: number): number {
  switch (kind) {
    case Kind.VBAR:
      return 9;
    case Kind.CIRCUMFLEX:
      return 8;
    case Kind.AMPER:
      return 7;
    case Kind.LEFTSHIFT:
    case Kind.RIGHTSHIFT:
      return 6;
    case Kind.PLUS:
    case Kind.MINUS:
      return 5;
    case Kind.STAR:
    case Kind.SLASH:
    case Kind.DOUBLESLASH:
    case Kind.PERCENT:
    case Kind.AT:
      return 4;
    case Kind.TILDE:
      return 3;
    case Kind.DOUBLESTAR:
      return 2;
    default:
      return 0;
  }
}

/** Kinds that can be a delimiter at all; of most leaves nothing more need be asked. */
export const possibleDelimiters = kindSet(
  [
    Kind.COMMA,
    Kind.STRING,
    Kind.DOT,
    Kind.KW_IS,
    Kind.KW_AND,
    Kind.KW_OR,
    Kind.ASYNC,
    Kind.KW_FOR,
    Kind.KW_IF,
    Kind.KW_ELSE,
    Kind.KW_IN,
    Kind.KW_NOT,
  ],
  comparators,
  mathOperators,
);

/** Priority of a line break after `leaf`, 0 when it is no delimiter of that sort (Black: is_split_after_delimiter). */
export function splitPriorityAfter(tree: Tree, leaf: number): number {
  if (tree.kind[leaf] !== Kind.COMMA) return 0;
  // A comma between the targets of a `for` packs a tuple: `for` must not end up on another line.
  const parent = tree.parent[leaf]!;
  if (parent !== NONE && tree.kind[parent] === Kind.exprlist) {
    const grandparent = tree.parent[parent]!;
    if (grandparent !== NONE) {
      const kind = tree.kind[grandparent];
      if (kind === Kind.comp_for || kind === Kind.old_comp_for || kind === Kind.for_stmt) return 0;
    }
  }
  return Priority.COMMA;
}

/**
 * Priority of a line break before `leaf`, 0 when it is no delimiter of that sort
 * (Black: is_split_before_delimiter). `previous` is the leaf marked before it on the line, or `NONE`.
 */
export function splitPriorityBefore(tree: Tree, leaf: number, previous: number): number {
  const kind = tree.kind[leaf]!;
  switch (kind) {
    case Kind.STRING:
      return previous !== NONE && tree.kind[previous] === Kind.STRING ? Priority.STRING : 0;
    case Kind.DOT:
      return dotPriority(tree, leaf, previous);
    case Kind.LESS:
    case Kind.GREATER:
    case Kind.EQEQUAL:
    case Kind.NOTEQUAL:
    case Kind.LESSEQUAL:
    case Kind.GREATEREQUAL:
    case Kind.KW_IS:
      return Priority.COMPARATOR;
    case Kind.KW_AND:
    case Kind.KW_OR:
      return tree.parent[leaf] === NONE ? 0 : Priority.LOGIC;
    case Kind.ASYNC:
    case Kind.KW_FOR:
    case Kind.KW_IF:
    case Kind.KW_ELSE:
    case Kind.KW_IN:
    case Kind.KW_NOT:
      return keywordPriority(tree, leaf, kind, previous);
    default:
      return operatorPriority(tree, leaf, kind);
  }
}

function dotPriority(tree: Tree, leaf: number, previous: number): number {
  const parent = tree.parent[leaf]!;
  if (parent === NONE) return 0;
  const parentKind = tree.kind[parent];
  if (parentKind === Kind.import_from || parentKind === Kind.dotted_name) return 0;
  return previous === NONE || isClosingBracket(tree.kind[previous]!) ? Priority.DOT : 0;
}

function operatorPriority(tree: Tree, leaf: number, kind: number): number {
  const priority = mathPriority(kind);
  if (priority === 0 || isVararg(tree, leaf, varargsAndUnpackingParents)) return 0;
  const parent = tree.parent[leaf]!;
  if (parent === NONE) return 0;
  const parentKind = tree.kind[parent];
  return parentKind === Kind.factor || parentKind === Kind.star_expr ? 0 : priority;
}

function keywordPriority(tree: Tree, leaf: number, kind: number, previous: number): number {
  const parent = tree.parent[leaf]!;
  const parentKind = parent === NONE ? NONE : tree.kind[parent]!;
  const previousKind = previous === NONE ? NONE : tree.kind[previous]!;
  switch (kind) {
    case Kind.ASYNC:
      return Priority.COMPREHENSION;
    case Kind.KW_FOR: {
      if (parentKind !== Kind.comp_for && parentKind !== Kind.old_comp_for) return 0;
      const sibling = tree.prev[leaf]!;
      return sibling !== NONE && tree.kind[sibling] === Kind.ASYNC ? 0 : Priority.COMPREHENSION;
    }
    case Kind.KW_IF:
      if (parentKind === Kind.comp_if || parentKind === Kind.old_comp_if) return Priority.COMPREHENSION;
      return parentKind === Kind.test ? Priority.TERNARY : 0;
    case Kind.KW_ELSE:
      return parentKind === Kind.test ? Priority.TERNARY : 0;
    case Kind.KW_IN:
      if (parentKind !== Kind.comp_op && parentKind !== Kind.comparison) return 0;
      return previousKind === Kind.KW_NOT ? 0 : Priority.COMPARATOR;
    default:
      if (parentKind !== Kind.comp_op) return 0;
      return previousKind === Kind.KW_IS ? 0 : Priority.COMPARATOR;
  }
}
