/** Which statement a leaf or a node begins (`nodes.py`: STATEMENT, is_import, is_async_stmt_or_funcdef and others). */
import { kindSet } from "../kind-set.ts";
import { Kind } from "../kinds.ts";
import { NONE, type Tree } from "../tree.ts";
import { nextKind, parentKind } from "./family.ts";
import { hasVisiblePrefix } from "./prefixes.ts";

/** Compound statements and their clauses (`STATEMENT`). */
export const statements = kindSet([
  Kind.if_stmt,
  Kind.while_stmt,
  Kind.for_stmt,
  Kind.try_stmt,
  Kind.except_clause,
  Kind.with_stmt,
  Kind.funcdef,
  Kind.classdef,
  Kind.match_stmt,
  Kind.case_block,
]);

/** `NEWLINE`, `INDENT` and `DEDENT` (`WHITESPACE`). */
export function isWhitespaceKind(kind: number): boolean {
  return kind >= Kind.NEWLINE && kind <= Kind.DEDENT;
}

/** Whether the leaf begins an import statement (`is_import`). */
export function isImport(tree: Tree, leaf: number): boolean {
  switch (tree.kind[leaf]) {
    case Kind.KW_IMPORT:
      return parentKind(tree, leaf) === Kind.import_name;
    case Kind.KW_FROM:
      return parentKind(tree, leaf) === Kind.import_from;
    case Kind.LAZY:
      return parentKind(tree, leaf) === Kind.lazy_import;
    default:
      return false;
  }
}

/** Whether the leaf begins `with` or `async with` (`is_with_or_async_with_stmt`). */
export function isWithOrAsyncWithStmt(tree: Tree, leaf: number): boolean {
  const kind = tree.kind[leaf];
  if (kind === Kind.KW_WITH) return parentKind(tree, leaf) === Kind.with_stmt;
  return kind === Kind.ASYNC && nextKind(tree, leaf) === Kind.with_stmt;
}

/** Whether the leaf is the `async` of a statement or a function definition (`is_async_stmt_or_funcdef`). */
export function isAsyncStmtOrFuncdef(tree: Tree, leaf: number): boolean {
  if (tree.kind[leaf] !== Kind.ASYNC) return false;
  const parent = parentKind(tree, leaf);
  return parent === Kind.async_stmt || parent === Kind.async_funcdef;
}

/** Whether the suite or simple statement is the body of a function or class (`is_parent_function_or_class`). */
export function isParentFunctionOrClass(tree: Tree, body: number): boolean {
  const parent = parentKind(tree, body);
  return parent === Kind.funcdef || parent === Kind.classdef;
}

/** Whether the suite holds nothing but `...` (`is_stub_suite`). */
export function isStubSuite(tree: Tree, suite: number): boolean {
  if (tree.parent[suite] !== NONE && !isParentFunctionOrClass(tree, suite)) return false;
  if (hasVisiblePrefix(tree, suite)) return false;
  const newline = tree.first[suite]!;
  if (newline === NONE || tree.kind[newline] !== Kind.NEWLINE) return false;
  const indent = tree.next[newline]!;
  if (indent === NONE || tree.kind[indent] !== Kind.INDENT) return false;
  const body = tree.next[indent]!;
  if (body === NONE) return false;
  const dedent = tree.next[body]!;
  if (dedent === NONE || tree.kind[dedent] !== Kind.DEDENT || tree.next[dedent] !== NONE) return false;
  return !hasVisiblePrefix(tree, dedent) && isStubBody(tree, body);
}

/** Whether the node is the simple statement `...` (`is_stub_body`). */
export function isStubBody(tree: Tree, id: number): boolean {
  if (tree.kind[id] !== Kind.simple_stmt) return false;
  const atom = tree.first[id]!;
  if (atom === NONE || tree.next[atom] === NONE || tree.next[atom] !== tree.last[id]) return false;
  if (tree.kind[atom] !== Kind.atom || hasVisiblePrefix(tree, atom)) return false;
  return isEllipsis(tree, atom);
}

function isEllipsis(tree: Tree, atom: number): boolean {
  let dots = 0;
  for (let at = tree.first[atom]!; at !== NONE; at = tree.next[at]!) {
    if (tree.kind[at] !== Kind.DOT) return false;
    dots++;
  }
  return dots === 3;
}
