import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { isComprehension } from "../lowering/lower.ts";
import { checkArguments, checkParameters } from "./check-arguments.ts";
import { checkLayout } from "./check-layout.ts";
import { checkConcatenation, checkName, checkNumber, checkString } from "./check-literals.ts";
import { checkCase } from "./check-patterns.ts";
import { checkAssignment, checkNamedExpression, checkTarget } from "./check-targets.ts";
import { lineOf } from "./line-of.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

const K = Kind;

/**
 * Finds what CPython's parser rejects although our grammar, which is Black's, lets it pass: leftovers of Python 2,
 * targets that nothing can be assigned to, arguments and parameters in a wrong order, malformed literals. Only what
 * `ast.parse` rejects counts, not what the compiler finds later, such as `return` outside a function.
 *
 * @throws {SourceSyntaxError}
 */
export function checkSource(tree: Tree, root: number): void {
  checkLayout(tree, root);
  for (let id = root; id !== NONE; id = following(tree, id, root)) checkNode(tree, id);
}

/** The next id in pre-order. */
function following(tree: Tree, id: number, root: number): number {
  if (tree.first[id] !== NONE) return tree.first[id]!;
  let at = id;
  while (at !== root && tree.next[at] === NONE) at = tree.parent[at]!;
  return at === root ? NONE : tree.next[at]!;
}

function checkNode(tree: Tree, id: number): void {
  const kind = tree.kind[id]!;
  switch (kind) {
    case K.NAME:
      checkName(tree, id);
      return;
    case K.NUMBER:
      checkNumber(tree, id);
      return;
    case K.STRING:
      checkString(tree, id);
      return;
    case K.KW_NONE:
    case K.KW_TRUE:
    case K.KW_FALSE:
      checkKeyword(tree, id);
      return;
    case K.BACKQUOTE:
      reject(tree, id, "invalid syntax");
      return;
    case K.NOTEQUAL:
      if (tree.text(id) === "<>") reject(tree, id, "invalid syntax");
      return;
    case K.atom:
      checkAtom(tree, id);
      return;
    case K.expr_stmt:
      checkAssignment(tree, id);
      return;
    case K.namedexpr_test:
      checkNamedExpression(tree, id);
      return;
    case K.asexpr_test:
      checkAsExpression(tree, id);
      return;
    case K.for_stmt:
    case K.comp_for:
    case K.old_comp_for:
      checkTarget(tree, afterKeyword(tree, id, K.KW_FOR), "assign to");
      return;
    case K.del_stmt:
      checkTarget(tree, tree.next[tree.first[id]!]!, "delete");
      return;
    case K.raise_stmt:
      if (tree.children(id).some((child) => tree.kind[child] === K.COMMA)) reject(tree, id, "invalid syntax");
      return;
    case K.import_from:
      checkImport(tree, id);
      return;
    case K.case_block:
      checkCase(tree, id);
      return;
    case K.except_clause:
      checkExcept(tree, id);
      return;
    case K.try_stmt:
      checkTry(tree, id);
      return;
    case K.trailer:
    case K.classdef:
      checkCall(tree, id);
      return;
    case K.parameters:
    case K.lambdef:
    case K.old_lambdef: {
      const list = tree.next[tree.first[id]!]!;
      if (tree.kind[list] !== K.RPAR && tree.kind[list] !== K.COLON) checkParameters(tree, list);
      return;
    }
    default:
  }
}

function reject(tree: Tree, id: number, message: string): never {
  throw new SourceSyntaxError(message, lineOf(tree, id));
}

function afterKeyword(tree: Tree, id: number, keyword: number): number {
  let child = tree.first[id]!;
  while (tree.kind[child] !== keyword) child = tree.next[child]!;
  return tree.next[child]!;
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
    tree.kind[parent] === K.global_stmt ||
    (tree.kind[parent] === K.tname && previous === NONE) ||
    before === K.KW_DEF ||
    before === K.KW_CLASS ||
    before === K.KW_IMPORT ||
    (tree.kind[parent] === K.parameters && before === K.LPAR) ||
    ((tree.kind[parent] === K.lambdef || tree.kind[parent] === K.old_lambdef) && before === K.KW_LAMBDA) ||
    (isParameterList(tree.kind[parent]!) && before !== K.EQUAL && before !== K.COLON);
  if (isName) reject(tree, id, "invalid syntax");
}

function isParameterList(kind: number): boolean {
  return kind === K.typedargslist || kind === K.varargslist;
}

function checkAtom(tree: Tree, id: number): void {
  const first = tree.first[id]!;
  if (tree.kind[first] === K.STRING) {
    checkConcatenation(tree, tree.children(id));
    return;
  }
  const inner = tree.next[first]!;
  if (inner === NONE || tree.next[inner] === NONE) return;
  if (tree.kind[inner] === K.star_expr && tree.kind[first] === K.LPAR)
    reject(tree, inner, "cannot use starred expression here");
}

/** `as` binds only in `with` items. */
function checkAsExpression(tree: Tree, id: number): void {
  let at = tree.parent[id]!;
  while (at !== NONE && (tree.kind[at] === K.testlist_gexp || tree.kind[at] === K.atom))
    at = tree.parent[at]!;
  const owner = tree.kind[at];
  if (owner === K.with_stmt) checkTarget(tree, tree.last[id]!, "assign to");
  else if (!isInPattern(tree, id)) reject(tree, id, "invalid syntax");
}

function isInPattern(tree: Tree, id: number): boolean {
  for (let at = tree.parent[id]!; at !== NONE; at = tree.parent[at]!) {
    if (tree.kind[at] === K.case_block) return true;
    if (tree.kind[at] === K.guard || tree.kind[at] === K.simple_stmt || tree.kind[at] === K.suite)
      return false;
  }
  return false;
}

function checkImport(tree: Tree, id: number): void {
  const last = tree.last[id]!;
  if (tree.kind[last] !== K.import_as_names || tree.kind[tree.last[last]!] !== K.COMMA) return;
  reject(tree, id, "trailing comma not allowed without surrounding parentheses");
}

/** `as` takes a name, for one exception type or several in parentheses. */
function checkExcept(tree: Tree, id: number): void {
  const name = tree.last[id]!;
  const as = tree.prev[name]!;
  if (tree.kind[as] !== K.KW_AS) return;
  if (tree.kind[name] !== K.NAME || tree.kind[tree.prev[as]!] === K.testlist)
    reject(tree, id, "invalid syntax");
}

function checkTry(tree: Tree, id: number): void {
  const groups = new Set<boolean>();
  for (const child of tree.children(id)) {
    const isClause = tree.kind[child] === K.except_clause;
    if (isClause) groups.add(tree.kind[tree.next[tree.first[child]!]!] === K.STAR);
    else if (tree.kind[child] === K.KW_EXCEPT) groups.add(false);
  }
  if (groups.size > 1) reject(tree, id, "cannot have both 'except' and 'except*' on the same 'try'");
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
