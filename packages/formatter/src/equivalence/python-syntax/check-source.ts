import { Kind as K } from "../../syntax/kinds.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";
import { isBlock } from "../comparison/statements.ts";
import { isLiteral } from "../literals/parts-of-literal.ts";
import { isComprehension } from "../lowering/lower.ts";
import { checkArguments, checkParameters } from "./check-arguments.ts";
import { checkField, checkFieldText, checkInterpolation } from "./check-interpolation.ts";
import { checkLayout } from "./check-layout.ts";
import { checkConcatenation, checkName, checkNumber, checkString } from "./check-literals.ts";
import { checkCase, isInPattern } from "./check-patterns.ts";
import { checkAssignment, checkNamedExpression, checkTarget } from "./check-targets.ts";
import { legacyStatementBefore } from "./legacy-statement.ts";
import { lineOf } from "./line-of.ts";
import { reportedFault, SourceSyntaxError } from "./source-syntax-error.ts";

/**
 * Finds what CPython's parser rejects although our grammar, which is Black's, lets it pass: leftovers of Python 2,
 * targets that nothing can be assigned to, arguments and parameters in a wrong order, malformed literals. Only what
 * `ast.parse` rejects counts, not what the compiler finds later, such as `return` outside a function.
 *
 * @returns what `checkLayout` returns: a source that must be checked in place of this one
 * @throws {SourceSyntaxError}
 */
export function checkSource(tree: Tree, root: number): string | undefined {
  let plainSource: string | undefined;
  const layout = faultOf(() => {
    plainSource = checkLayout(tree);
  });
  if (plainSource !== undefined) return plainSource;
  const fault = reportedFault(
    layout,
    faultOf(() => checkRules(tree, root, false)),
  );
  if (fault !== undefined) throw legacyStatementBefore(tree, fault) ?? fault;
  return plainSource;
}

/**
 * Applies the rules of CPython's parser to a subtree.
 *
 * @param skipsBlocks whether the blocks of a statement are left out
 * @throws {SourceSyntaxError} the fault that CPython reports, if there are several
 */
export function checkRules(tree: Tree, root: number, skipsBlocks: boolean): void {
  const fault = faultsBelow(tree, root, skipsBlocks).reduce(reportedFault, undefined);
  if (fault !== undefined) throw fault;
}

/** Every fault that the rules find, in the order of the file. */
export function faultsBelow(tree: Tree, root: number, skipsBlocks: boolean): readonly SourceSyntaxError[] {
  let faults = NO_FAULTS;
  let id = root;
  const checkOn = (): void => {
    while (id !== NONE) {
      const at = id;
      const kind = tree.kind[at]!;
      id = following(tree, at, root, skipsBlocks);
      if (kind === K.NAME && (tree.textFlags[at]! & TextFlag.NON_ASCII) === 0) continue;
      rules[kind]?.(tree, at);
    }
  };
  while (id !== NONE) {
    const fault = faultOf(checkOn);
    if (fault !== undefined) faults = [...faults, fault];
  }
  return faults;
}

const NO_FAULTS: readonly SourceSyntaxError[] = [];

/** The fault that a check throws, if it does. */
function faultOf(check: () => void): SourceSyntaxError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof SourceSyntaxError) return error;
    throw error;
  }
}

/** The next id in pre-order. */
function following(tree: Tree, id: number, root: number, skipsBlocks: boolean): number {
  const first = tree.first[id]!;
  if (first !== NONE && !(skipsBlocks && id !== root && isBlock(tree.kind[id]!))) return first;
  let at = id;
  while (at !== root && tree.next[at] === NONE) at = tree.parent[at]!;
  return at === root ? NONE : tree.next[at]!;
}

/** Throws a SourceSyntaxError where the leaf or node has a fault. */
type Rule = (tree: Tree, id: number) => void;

/** The rule for each kind of leaf and node that has one. */
const rules: readonly (Rule | undefined)[] = rulesByKind([
  [checkName, K.NAME],
  [checkNumber, K.NUMBER],
  [checkText, K.STRING],
  [checkField, K.fstring_replacement_field],
  [checkFieldText, K.FSTRING_MIDDLE],
  [checkKeyword, K.KW_NONE, K.KW_TRUE, K.KW_FALSE],
  [rejectOldSyntax, K.BACKQUOTE, K.old_lambdef],
  [checkNotEqual, K.NOTEQUAL],
  [checkAtom, K.atom],
  [checkAssignment, K.expr_stmt],
  [checkNamedExpression, K.COLONEQUAL],
  [checkAsExpression, K.asexpr_test],
  [checkLoop, K.for_stmt, K.comp_for, K.old_comp_for],
  [checkDelete, K.del_stmt],
  [checkRaise, K.raise_stmt],
  [checkImport, K.import_from],
  [checkMatch, K.match_stmt],
  [checkCase, K.case_block],
  [checkExcept, K.except_clause],
  [checkTry, K.try_stmt],
  [checkCall, K.trailer, K.classdef],
  [checkSignature, K.parameters, K.lambdef],
]);

function rulesByKind(list: readonly (readonly [Rule, ...number[]])[]): (Rule | undefined)[] {
  const table = new Array<Rule | undefined>(256).fill(undefined);
  for (const [rule, ...kinds] of list) for (const kind of kinds) table[kind] = rule;
  return table;
}

function reject(tree: Tree, id: number, message: string): never {
  throw new SourceSyntaxError(message, lineOf(tree, id));
}

function checkText(tree: Tree, leaf: number): void {
  if ((tree.textFlags[leaf]! & TextFlag.INTERPOLATED) === 0) checkString(tree, leaf);
  else checkInterpolation(tree, leaf, (parts, root) => checkRules(parts, root, false));
}

/** Leftovers of Python 2, and what only Black's grammar knows. */
function rejectOldSyntax(tree: Tree, id: number): never {
  reject(tree, id, "invalid syntax");
}

function checkNotEqual(tree: Tree, id: number): void {
  if (tree.source.charCodeAt(tree.start[id]!) === 60) rejectOldSyntax(tree, id);
}

function checkLoop(tree: Tree, id: number): void {
  let child = tree.first[id]!;
  while (tree.kind[child] !== K.KW_FOR) child = tree.next[child]!;
  checkTarget(tree, tree.next[child]!, "assign to");
  for (; child !== NONE; child = tree.next[child]!)
    if (tree.kind[child] === K.testlist_safe) rejectOldSyntax(tree, child);
}

function checkDelete(tree: Tree, id: number): void {
  checkTarget(tree, tree.next[tree.first[id]!]!, "delete");
}

function checkRaise(tree: Tree, id: number): void {
  for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!)
    if (tree.kind[child] === K.COMMA) rejectOldSyntax(tree, id);
}

function checkSignature(tree: Tree, id: number): void {
  const list = tree.next[tree.first[id]!]!;
  if (tree.kind[list] !== K.RPAR && tree.kind[list] !== K.COLON) checkParameters(tree, list);
}

/** `None`, `True` and `False` are no names: not for attributes, parameters, definitions or imports. */
function checkKeyword(tree: Tree, id: number): void {
  const parent = tree.parent[id]!;
  const previous = tree.prev[id]!;
  const before = previous === NONE ? NONE : tree.kind[previous]!;
  const isName =
    (tree.kind[parent] === K.trailer && before === K.DOT) ||
    tree.kind[parent] === K.dotted_name ||
    tree.kind[parent] === K.import_as_name ||
    tree.kind[parent] === K.import_as_names ||
    tree.kind[parent] === K.dotted_as_name ||
    tree.kind[parent] === K.dotted_as_names ||
    tree.kind[parent] === K.import_from ||
    tree.kind[parent] === K.global_stmt ||
    ((tree.kind[parent] === K.tname || tree.kind[parent] === K.tname_star) && previous === NONE) ||
    (tree.kind[parent] === K.typevar && previous === NONE) ||
    tree.kind[parent] === K.typeparams ||
    (isStarredParameter(tree.kind[parent]!) && before !== K.EQUAL) ||
    before === K.KW_TYPE ||
    before === K.KW_DEF ||
    before === K.KW_CLASS ||
    before === K.KW_IMPORT ||
    (tree.kind[parent] === K.parameters && before === K.LPAR) ||
    (tree.kind[parent] === K.lambdef && before === K.KW_LAMBDA) ||
    (isParameterList(tree.kind[parent]!) && before !== K.EQUAL && before !== K.COLON);
  if (isName) reject(tree, id, "invalid syntax");
}

function isParameterList(kind: number): boolean {
  return kind === K.typedargslist || kind === K.varargslist;
}

function isStarredParameter(kind: number): boolean {
  return kind === K.typevartuple || kind === K.paramspec;
}

function checkAtom(tree: Tree, id: number): void {
  const first = tree.first[id]!;
  if (isLiteral(tree, first)) {
    checkConcatenation(tree, id);
    return;
  }
  if (tree.kind[first] === K.DOT) checkEllipsis(tree, id);
  const inner = tree.next[first]!;
  if (inner === NONE || tree.next[inner] === NONE) return;
  if (tree.kind[inner] === K.star_expr && tree.kind[first] === K.LPAR)
    reject(tree, inner, "cannot use starred expression here");
}

/** Black's grammar has three dots, which may stand apart. */
function checkEllipsis(tree: Tree, id: number): void {
  if (tree.end[tree.last[id]!]! - tree.start[tree.first[id]!]! !== "...".length) rejectOldSyntax(tree, id);
}

/** `as` binds only in `with` items, and in patterns. */
function checkAsExpression(tree: Tree, id: number): void {
  if (isWithItem(tree, id)) {
    checkTarget(tree, tree.last[id]!, "assign to");
    checkOtherItems(tree, id);
  } else if (!isInPattern(tree, id)) reject(tree, id, "invalid syntax");
}

/** One of the items, or one of those in the parentheses that hold them all. */
function isWithItem(tree: Tree, id: number): boolean {
  let at = tree.parent[id]!;
  if (tree.kind[at] === K.with_stmt) return true;
  if (tree.kind[at] === K.testlist_gexp) at = tree.parent[at]!;
  return (
    tree.kind[at] === K.atom &&
    tree.kind[tree.parent[at]!] === K.with_stmt &&
    tree.kind[tree.prev[at]!] === K.KW_WITH &&
    tree.kind[tree.next[at]!] === K.COLON
  );
}

/** Items in parentheses are plain expressions as soon as one of them has a target. */
function checkOtherItems(tree: Tree, id: number): void {
  const list = tree.parent[id]!;
  if (tree.kind[list] !== K.testlist_gexp) return;
  for (const item of tree.children(list))
    if (tree.kind[item] === K.star_expr || tree.kind[item] === K.namedexpr_test)
      reject(tree, item, "invalid syntax");
}

/** A starred subject takes a comma. */
function checkMatch(tree: Tree, id: number): void {
  const subject = tree.next[tree.first[id]!]!;
  if (tree.kind[subject] === K.star_expr) reject(tree, subject, "invalid syntax");
}

function checkImport(tree: Tree, id: number): void {
  const isLazy = tree.kind[tree.parent[id]!] === K.lazy_import;
  if (isLazy && tree.text(tree.next[tree.first[id]!]!) === "__future__")
    reject(tree, id, "lazy from __future__ import is not allowed");
  const last = tree.last[id]!;
  if (tree.kind[last] !== K.import_as_names || tree.kind[tree.last[last]!] !== K.COMMA) return;
  // CPython names the token that it has seen last, the end of the line.
  reject(tree, tree.nextLeaf(last), "trailing comma not allowed without surrounding parentheses");
}

/** `as` takes a name, for one exception type or several in parentheses; `*` takes a type. */
function checkExcept(tree: Tree, id: number): void {
  const name = tree.last[id]!;
  if (tree.kind[name] === K.STAR) reject(tree, id, "expected one or more exception types");
  const as = tree.prev[name]!;
  if (tree.kind[as] !== K.KW_AS) return;
  if (tree.kind[tree.prev[as]!] === K.testlist) reject(tree, id, "invalid syntax");
  if (tree.kind[name] === K.NAME) return;
  // What cannot be there: the name's trailer, or what is no name at all.
  const first = tree.firstLeaf(name);
  reject(tree, tree.kind[first] === K.NAME ? tree.nextLeaf(first) : first, "invalid syntax");
}

/** All clauses have a star or none has one; a bare `except` has none. */
function checkTry(tree: Tree, id: number): void {
  let isStarred: boolean | undefined;
  for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!) {
    if (tree.kind[child] !== K.KW_EXCEPT && tree.kind[child] !== K.except_clause) continue;
    const second = tree.kind[child] === K.except_clause ? tree.next[tree.first[child]!]! : NONE;
    const hasStar = second !== NONE && tree.kind[second] === K.STAR;
    isStarred ??= hasStar;
    if (hasStar !== isStarred)
      reject(tree, child, "cannot have both 'except' and 'except*' on the same 'try'");
  }
}

/** A call's trailer, or a class with its bases; in a pattern it is a class pattern with rules of its own. */
function checkCall(tree: Tree, id: number): void {
  let opening = tree.first[id]!;
  while (opening !== NONE && tree.kind[opening] !== K.LPAR) {
    if (tree.kind[opening] === K.COLON) return;
    opening = tree.next[opening]!;
  }
  if (opening === NONE) return;
  const first = tree.next[opening]!;
  if (tree.kind[first] === K.RPAR) return;
  checkArguments(tree, first);
  if (tree.kind[id] === K.classdef && tree.kind[first] === K.argument && isComprehension(tree, first))
    reject(tree, first, "invalid syntax");
}
