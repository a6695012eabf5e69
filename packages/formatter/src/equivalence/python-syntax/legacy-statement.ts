import { FIRST_NODE, Kind as K } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/**
 * Where a file has a fault that CPython's rules for invalid code do not name before, a second reading looks for these
 * from the start, and takes `print -a` for Python 2 (`Grammar/python.gram` invalid_legacy_expression).
 *
 * @returns what CPython says in place of the fault
 */
export function legacyStatementBefore(tree: Tree, fault: SourceSyntaxError): SourceSyntaxError | undefined {
  if (fault.finder !== "parser" || FOUND_AT_ONCE.test(fault.message)) return undefined;
  for (let leaf = 0; leaf < tree.count; leaf++) {
    if (tree.kind[leaf] === K.ENDMARKER || tree.line[leaf]! >= fault.line) return undefined;
    if (tree.kind[leaf] !== K.NAME) continue;
    const name = tree.text(leaf);
    if (
      (name !== "print" && name !== "exec") ||
      !isFollowedByOperand(tree, leaf) ||
      !isExpression(tree, leaf)
    )
      continue;
    const reason = `Missing parentheses in call to '${name}'. Did you mean ${name}(...)?`;
    return new SourceSyntaxError(reason, tree.line[leaf]!);
  }
  return undefined;
}

/** The faults that the first reading ends with: those of literals. */
const FOUND_AT_ONCE = /^\((?:unicode|value) error\)|conversion|nested too deeply|^bytes can only|^cannot mix/;

/** Whether what stands behind the name could be an expression of its own: `-a`, `*a` or `[a]`. */
function isFollowedByOperand(tree: Tree, name: number): boolean {
  const next = tree.nextLeaf(name);
  const kind = tree.kind[next]!;
  if (kind === K.LSQB) {
    const inner = tree.next[next]!;
    const items = tree.kind[inner] === K.subscriptlist ? [...tree.children(inner)] : [inner];
    return !items.some((item) => isSlice(tree, item));
  }
  return kind === K.MINUS || kind === K.PLUS || kind === K.STAR;
}

function isSlice(tree: Tree, item: number): boolean {
  if (tree.kind[item] === K.COLON) return true;
  return (
    tree.kind[item] === K.subscript && [...tree.children(item)].some((part) => tree.kind[part] === K.COLON)
  );
}

/** Whether an expression begins with the leaf, rather than an operand within one. */
function isExpression(tree: Tree, leaf: number): boolean {
  let at = leaf;
  while (tree.prev[at] === NONE && OPERATIONS.has(tree.kind[tree.parent[at]!]!)) at = tree.parent[at]!;
  const parent = tree.kind[tree.parent[at]!]!;
  if (parent === K.dictsetmaker && tree.prev[at] !== NONE && tree.kind[tree.prev[at]!] === K.DOUBLESTAR)
    return false;
  if (parent === K.test) return tree.prev[at] === NONE || tree.kind[tree.prev[at]!] === K.KW_ELSE;
  return parent >= FIRST_NODE && !OPERATIONS.has(parent) && !OPERANDS_ONLY.has(parent);
}

/** What is made of operands, the first of which begins it. */
const OPERATIONS: ReadonlySet<number> = new Set([
  K.or_test,
  K.and_test,
  K.comparison,
  K.expr,
  K.xor_expr,
  K.and_expr,
  K.shift_expr,
  K.arith_expr,
  K.term,
  K.power,
]);

/** Where an operand stands that is no expression to CPython's grammar. */
const OPERANDS_ONLY: ReadonlySet<number> = new Set([
  K.not_test,
  K.factor,
  K.star_expr,
  K.comp_for,
  K.comp_if,
  K.old_comp_for,
  K.old_comp_if,
  K.del_stmt,
]);
