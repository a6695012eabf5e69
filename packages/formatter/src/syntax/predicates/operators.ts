/** Operators and where they stand (`nodes.py`: MATH_OPERATORS, is_vararg, is_simple_exponentiation and others). */
import { kindSet } from "../kind-set.ts";
import { FIRST_NODE, isNameKind, Kind } from "../kinds.ts";
import { NONE, type Tree } from "../tree.ts";

/** `MATH_OPERATORS` as a lookup table by kind. */
export const mathOperators = kindSet([
  Kind.VBAR,
  Kind.CIRCUMFLEX,
  Kind.AMPER,
  Kind.LEFTSHIFT,
  Kind.RIGHTSHIFT,
  Kind.PLUS,
  Kind.MINUS,
  Kind.STAR,
  Kind.SLASH,
  Kind.DOUBLESLASH,
  Kind.PERCENT,
  Kind.AT,
  Kind.TILDE,
  Kind.DOUBLESTAR,
]);

/** `COMPARATORS` as a lookup table by kind. */
export const comparators = kindSet([
  Kind.LESS,
  Kind.GREATER,
  Kind.EQEQUAL,
  Kind.NOTEQUAL,
  Kind.LESSEQUAL,
  Kind.GREATEREQUAL,
]);

/** Parents of a star that belongs to a signature or a call (`VARARGS_PARENTS`). */
const varargsParents = kindSet([
  Kind.arglist,
  Kind.argument,
  Kind.trailer,
  Kind.typedargslist,
  Kind.varargslist,
  Kind.typevartuple,
  Kind.paramspec,
]);

/** Parents of a star that unpacks (`UNPACKING_PARENTS`). */
const unpackingParents = kindSet([
  Kind.atom,
  Kind.dictsetmaker,
  Kind.listmaker,
  Kind.testlist_gexp,
  Kind.testlist_star_expr,
  Kind.subject_expr,
  Kind.pattern,
]);

/** `VARARGS_PARENTS | UNPACKING_PARENTS`. */
export const varargsAndUnpackingParents = kindSet([], varargsParents, unpackingParents);

/** Expressions that make a subscript complex (`TEST_DESCENDANTS`). */
export const testDescendants = kindSet([
  Kind.test,
  Kind.lambdef,
  Kind.or_test,
  Kind.and_test,
  Kind.not_test,
  Kind.comparison,
  Kind.star_expr,
  Kind.expr,
  Kind.xor_expr,
  Kind.and_expr,
  Kind.shift_expr,
  Kind.arith_expr,
  Kind.trailer,
  Kind.term,
  Kind.power,
  Kind.namedexpr_test,
]);

/** `*` or `**` (`STARS`). */
export function isStar(kind: number): boolean {
  return kind === Kind.STAR || kind === Kind.DOUBLESTAR;
}

/** `*`, `**` or `/` (`VARARGS_SPECIALS`). */
export function isVarargsSpecial(kind: number): boolean {
  return kind === Kind.STAR || kind === Kind.DOUBLESTAR || kind === Kind.SLASH;
}

/** Whether the leaf is a star of a signature, a call or an unpacking in one of the parents (`is_vararg`). */
export function isVararg(tree: Tree, leaf: number, within: Uint8Array): boolean {
  if (!isVarargsSpecial(tree.kind[leaf]!)) return false;
  let parent = tree.parent[leaf]!;
  if (parent === NONE) return false;
  if (tree.kind[parent] === Kind.star_expr) {
    parent = tree.parent[parent]!;
    if (parent === NONE) return false;
  }
  return within[tree.kind[parent]!] !== 0;
}

/** A sum, a shift or a bitwise expression, `|` aside (`is_arith_like`). */
export function isArithLike(kind: number): boolean {
  return (
    kind === Kind.arith_expr || kind === Kind.shift_expr || kind === Kind.xor_expr || kind === Kind.and_expr
  );
}

/** Whether the power is between names, numbers and attributes alone (`is_simple_exponentiation`). */
export function isSimpleExponentiation(tree: Tree, id: number): boolean {
  if (tree.kind[id] !== Kind.power) return false;
  const last = tree.last[id]!;
  const operator = last === NONE ? NONE : tree.prev[last]!;
  if (operator === NONE || tree.kind[operator] !== Kind.DOUBLESTAR || tree.prev[operator] === NONE)
    return false;
  return isSimpleOperand(tree, id);
}

/** What is known of powers of a tree, as long as that has so many nodes: parentheses that are added make a new one. */
interface KnownPowers {
  count: number;
  readonly isSimple: Map<number, boolean>;
}

const knownPowers = new WeakMap<Tree, KnownPowers>();

/** Of nested powers (`a ** -b.c ** -d`) each is asked about; each is looked at once. */
function isSimpleOperand(tree: Tree, id: number): boolean {
  if (tree.kind[id] !== Kind.power) return hasSimpleParts(tree, id);
  let known = knownPowers.get(tree);
  if (known?.count !== tree.count) {
    known = { count: tree.count, isSimple: new Map() };
    knownPowers.set(tree, known);
  }
  let isSimple = known.isSimple.get(id);
  if (isSimple === undefined) {
    isSimple = hasSimpleParts(tree, id);
    known.isSimple.set(id, isSimple);
  }
  return isSimple;
}

function hasSimpleParts(tree: Tree, id: number): boolean {
  const kind = tree.kind[id]!;
  if (kind < FIRST_NODE) {
    return isNameKind(kind) || kind === Kind.NUMBER || kind === Kind.DOT || kind === Kind.DOUBLESTAR;
  }
  if (kind === Kind.factor) return isSimpleOperand(tree, tree.next[tree.first[id]!]!);
  for (let at = tree.first[id]!; at !== NONE; at = tree.next[at]!)
    if (!isSimpleOperand(tree, at)) return false;
  return true;
}
