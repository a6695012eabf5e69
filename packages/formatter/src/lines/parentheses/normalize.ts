/** Optional parentheses of a statement (`linegen.py` normalize_invisible_parens). */
import { containsFmtDirective, FMT_OFF } from "../../comments/directives.ts";
import { listComments } from "../../comments/list-comments.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { type KindSet, kindSet } from "../../syntax/kind-set.ts";
import { FIRST_NODE, Kind } from "../../syntax/kinds.ts";
import { ensureVisible, wrapInParentheses } from "../../syntax/parentheses.ts";
import { isOneTuple } from "../../syntax/predicates/atoms.ts";
import { nextKind, prevKind } from "../../syntax/predicates/family.ts";
import { isInterpolated, isMultilineString, isTemplateString } from "../../syntax/predicates/strings.ts";
import { NONE, PrefixFlag, type Tree } from "../../syntax/tree.ts";
import { isParenthesizedLambdaOrTernary } from "./generators.ts";
import { normalizeImportFrom } from "./import-from.ts";
import { maybeMakeParensInvisibleInAtom, ParenOption } from "./make-invisible.ts";
import { isAtomMultiline, isParenthesizedAnnotationTarget, normalizeUnpackingTargets } from "./targets.ts";
import { maybeWrapContextManagers, removeWithParens } from "./with-statement.ts";

/** What the rules need beside the statement. */
export interface ParenthesesContext {
  readonly tree: Tree;
  readonly mode: Mode;
  /** `Feature` bits that the output may use. */
  readonly features: number;
  /** Whether a guard's condition fits into one line by itself (`is_line_short_enough` of a line of its leaves). */
  guardFits(node: number): boolean;
}

const afterCase = kindSet([Kind.KW_CASE]);
const afterIf = kindSet([Kind.KW_IF]);

/**
 * Hides the optional parentheses of a statement's expressions and adds invisible ones where there are none, so
 * that layout may show them.
 *
 * @param parensAfter kinds of the leaves directly after which such an expression stands; commas always count
 */
export function normalizeInvisibleParens(
  context: ParenthesesContext,
  node: number,
  parensAfter: KindSet,
): void {
  const { tree, mode, features } = context;
  if (isPrecededByFmtOff(tree, node)) return;
  if (hasPreview(mode, Preview.remove_redundant_unpacking_parentheses)) {
    normalizeTargetsOf(tree, node, features);
  }
  if (tree.kind[node] === Kind.with_stmt) maybeWrapContextManagers(tree, node, features);

  let check = false;
  let child = tree.first[node]!;
  for (let index = 0; child !== NONE; index++) {
    const next = tree.next[child]!;
    const kind = tree.kind[child]!;
    normalizeNested(context, child, kind, parensAfter);
    if (index === 0) {
      if (kind === Kind.testlist_star_expr) check = true;
      else if (kind === Kind.atom && tree.kind[node] === Kind.expr_stmt)
        normalizeFirstTarget(context, node, child);
    }
    // The star of `except*` is part of the keyword: what follows it is checked as well.
    const isExceptStar = index === 1 && kind === Kind.STAR && tree.kind[node] === Kind.except_clause;
    if (check && !isExceptStar && !normalizeOperand(context, node, child, kind, parensAfter)) return;
    check = (check && isExceptStar) || kind === Kind.COMMA || (kind < FIRST_NODE && parensAfter[kind] !== 0);
    child = next;
  }
}

/** Whether a comment before the statement turns formatting off. */
function isPrecededByFmtOff(tree: Tree, node: number): boolean {
  const leaf = tree.firstLeaf(node);
  if (leaf === NONE || (tree.prefixFlags[leaf]! & PrefixFlag.COMMENT) === 0) return false;
  return listComments(tree.prefix(leaf), false).some((comment) =>
    containsFmtDirective(comment.value, FMT_OFF),
  );
}

/** Parts of a statement that have rules of their own. */
function normalizeNested(
  context: ParenthesesContext,
  child: number,
  kind: number,
  parensAfter: KindSet,
): void {
  if (kind === Kind.annassign) normalizeInvisibleParens(context, child, parensAfter);
  else if (kind === Kind.case_block) normalizeInvisibleParens(context, child, afterCase);
  else if (kind === Kind.guard) normalizeInvisibleParens(context, child, afterIf);
}

/** Preview: single elements of unpacking targets lose their redundant parentheses. */
function normalizeTargetsOf(tree: Tree, node: number, features: number): void {
  const kind = tree.kind[node];
  const first = tree.first[node]!;
  const second = first === NONE ? NONE : tree.next[first]!;
  if (kind === Kind.expr_stmt) {
    let lastEqual = tree.last[node]!;
    while (lastEqual !== NONE && tree.kind[lastEqual] !== Kind.EQUAL) lastEqual = tree.prev[lastEqual]!;
    if (lastEqual === NONE) return;
    for (let child = first; child !== lastEqual; ) {
      const next = tree.next[child]!;
      normalizeUnpackingTargets(tree, child, features);
      child = next;
    }
  } else if (kind === Kind.with_stmt) {
    for (let child = first; child !== NONE; child = tree.next[child]!) {
      if (tree.kind[child] !== Kind.asexpr_test) continue;
      const target = nthChild(tree, child, 2);
      if (target !== NONE) normalizeUnpackingTargets(tree, target, features);
    }
  } else if (
    second !== NONE &&
    (kind === Kind.for_stmt || kind === Kind.comp_for || kind === Kind.old_comp_for || kind === Kind.del_stmt)
  ) {
    normalizeUnpackingTargets(tree, second, features);
  }
}

function nthChild(tree: Tree, node: number, index: number): number {
  let child = tree.first[node]!;
  for (let i = 0; i < index && child !== NONE; i++) child = tree.next[child]!;
  return child;
}

/** The parentheses round the first target of an assignment. */
function normalizeFirstTarget(context: ParenthesesContext, node: number, child: number): void {
  const { tree, mode, features } = context;
  if (mode.magicTrailingComma && isOneTuple(tree, child)) return;
  if (isAtomMultiline(tree, child)) return;
  if (isParenthesizedAnnotationTarget(tree, child)) {
    const inner = tree.next[tree.first[child]!]!;
    if (tree.kind[inner] === Kind.atom) maybeMakeParensInvisibleInAtom(tree, inner, child, features);
    return;
  }
  const options = ParenOption.REMOVE_BRACKETS_AROUND_COMMA | ParenOption.ALLOW_STAR_EXPR;
  if (maybeMakeParensInvisibleInAtom(tree, child, node, features, options))
    wrapInParentheses(tree, child, false);
}

/** An expression that stands where parentheses are optional; false when the statement is done. */
function normalizeOperand(
  context: ParenthesesContext,
  node: number,
  child: number,
  kind: number,
  parensAfter: KindSet,
): boolean {
  const { tree, mode, features } = context;
  const statement = tree.kind[node];
  if (kind === Kind.atom && statement === Kind.for_stmt && prevKind(tree, child) === Kind.KW_FOR) {
    hideOrWrap(tree, child, node, features, ParenOption.REMOVE_BRACKETS_AROUND_COMMA);
  } else if (statement === Kind.with_stmt && (kind >= FIRST_NODE || isInterpolated(tree, child))) {
    removeWithParens(tree, child, node, features);
  } else if (
    kind === Kind.yield_arg &&
    statement === Kind.yield_expr &&
    hasPreview(mode, Preview.parenthesize_tuple_in_yield)
  ) {
    const only = tree.first[child]!;
    if (only === tree.last[child] && tree.kind[only] !== Kind.atom && isOneTuple(tree, only)) {
      wrapInParentheses(tree, child, true);
    }
  } else if (kind === Kind.atom) {
    normalizeAtom(tree, child, node, features, parensAfter);
  } else if (isOneTuple(tree, child)) {
    wrapInParentheses(tree, child, true);
  } else if (statement === Kind.import_from) {
    normalizeImportFrom(tree, node, child);
    return false;
  } else if (isCapturedCase(tree, child, kind)) {
    return false;
  } else if (kind !== Kind.guard && (!isMultilineString(tree, child) || isTemplateString(tree, child))) {
    const isGuard =
      statement === Kind.guard && hasPreview(mode, Preview.fix_if_guard_explosion_in_case_statement);
    if (!isGuard || !context.guardFits(child)) wrapInParentheses(tree, child, false);
  }
  return true;
}

function normalizeAtom(tree: Tree, atom: number, node: number, features: number, parensAfter: KindSet): void {
  if (parensAfter[Kind.KW_IN] === 0 || !isParenthesizedLambdaOrTernary(tree, atom)) {
    hideOrWrap(tree, atom, node, features, 0);
    return;
  }
  // As an iterable these keep one pair: without it the clauses after them would become part of them.
  maybeMakeParensInvisibleInAtom(tree, atom, node, features);
  ensureVisible(tree, tree.first[atom]!);
  ensureVisible(tree, tree.last[atom]!);
}

function hideOrWrap(tree: Tree, atom: number, node: number, features: number, options: number): void {
  if (maybeMakeParensInvisibleInAtom(tree, atom, node, features, options))
    wrapInParentheses(tree, atom, false);
}

/** `case case:` matches the name `case`. */
function isCapturedCase(tree: Tree, child: number, kind: number): boolean {
  if (kind !== Kind.NAME && kind !== Kind.KW_CASE) return false;
  return nextKind(tree, child) === Kind.COLON && tree.text(child) === "case";
}
