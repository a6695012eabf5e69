/**
 * Groups of decorated functions of one name in stubs, such as `@overload` (`lines.py`: the helpers of
 * EmptyLineTracker for the preview features pyi_overload_group_blank_lines and its neighbours).
 */
import { FIRST_NODE, Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { type LineFacts, Trait } from "./line-facts.ts";

function isFunction(kind: number): boolean {
  return kind === Kind.funcdef || kind === Kind.async_funcdef;
}

/** Leaves between statements that say nothing about them (`_WHITESPACE_TOKENS`). */
function isBetweenStatements(kind: number): boolean {
  return (kind <= Kind.DEDENT && kind >= Kind.ENDMARKER) || kind === Kind.COMMENT;
}

function firstChildOfKind(tree: Tree, node: number, kind: number): number {
  let child = tree.first[node]!;
  while (child !== NONE && tree.kind[child] !== kind) child = tree.next[child]!;
  return child;
}

/** Name of a function definition; `undefined` where `# fmt: skip` took it away (`_get_funcdef_name`). */
function functionName(tree: Tree, node: number): string | undefined {
  let definition = node;
  if (tree.kind[node] === Kind.async_funcdef) {
    const inner = firstChildOfKind(tree, node, Kind.funcdef);
    if (inner !== NONE) definition = inner;
  }
  if (tree.kind[definition] !== Kind.funcdef) return undefined;
  const name = tree.next[tree.first[definition]!]!;
  return name !== NONE && isName(tree.kind[name]!) ? tree.text(name) : undefined;
}

function isName(kind: number): boolean {
  return kind >= Kind.NAME && kind <= Kind.KW_TYPE;
}

/** Name of the first function that a `decorated` node holds. */
function decoratedFunctionName(tree: Tree, decorated: number): string | undefined {
  for (let child = tree.first[decorated]!; child !== NONE; child = tree.next[child]!) {
    if (isFunction(tree.kind[child]!)) return functionName(tree, child);
  }
  return undefined;
}

/** `_decorated_node_has_func_named`. */
function decoratesFunctionNamed(tree: Tree, decorated: number, name: string): boolean {
  for (let child = tree.first[decorated]!; child !== NONE; child = tree.next[child]!) {
    if (isFunction(tree.kind[child]!) && functionName(tree, child) === name) return true;
  }
  return false;
}

/** The sibling `decorated` node right after or before; `NONE` (`_find_adjacent_decorated`). */
function adjacentDecorated(tree: Tree, node: number, backwards: boolean): number {
  const links = backwards ? tree.prev : tree.next;
  for (let at = links[node]!; at !== NONE; at = links[at]!) {
    if (tree.kind[at] === Kind.decorated) return at;
    if (!isBetweenStatements(tree.kind[at]!)) return NONE;
  }
  return NONE;
}

/** Name of the decorated function that a suite begins with (`_get_suite_first_decorated_funcname`). */
function suiteFirstFunctionName(tree: Tree, suite: number): string | undefined {
  for (let child = tree.first[suite]!; child !== NONE; child = tree.next[child]!) {
    const kind = tree.kind[child]!;
    if (kind === Kind.decorated) return decoratedFunctionName(tree, child);
    if (kind !== Kind.NEWLINE && kind !== Kind.INDENT && kind !== Kind.DEDENT) return undefined;
  }
  return undefined;
}

/** Whether another branch begins its decorated functions with one of that name (`_if_stmt_branch_has_func_named`). */
function otherBranchHas(tree: Tree, ifStatement: number, suite: number, name: string): boolean {
  for (let branch = tree.first[ifStatement]!; branch !== NONE; branch = tree.next[branch]!) {
    if (tree.kind[branch] !== Kind.suite || branch === suite) continue;
    const decorated = firstChildOfKind(tree, branch, Kind.decorated);
    if (decorated !== NONE && decoratesFunctionNamed(tree, decorated, name)) return true;
  }
  return false;
}

/** Name of the function that the line defines (`_get_def_name`). */
export function definedName(line: LineFacts): string | undefined {
  if (!line.is(Trait.DEF)) return undefined;
  const { tree, first } = line;
  const definition = tree.kind[first] === Kind.KW_DEF ? first : tree.nextLeaf(first);
  return tree.text(tree.nextLeaf(definition));
}

/** The `decorated` node that the line is part of; `NONE` (`_find_decorated_node`). */
function decoratedNode(line: LineFacts): number {
  const { tree } = line;
  for (let node = tree.parent[line.first]!; node !== NONE; node = tree.parent[node]!) {
    const kind = tree.kind[node];
    if (kind === Kind.decorated) return node;
    if (kind === Kind.suite || kind === Kind.file_input) return NONE;
  }
  return NONE;
}

/** Whether the line defines a decorated function (`_is_line_decorated`). */
export function isDecoratedDefinition(line: LineFacts): boolean {
  return line.is(Trait.DEF) && decoratedNode(line) !== NONE;
}

/** Name of the function that the decorator line belongs to (`_get_decorator_target_name`). */
export function decoratorTargetName(line: LineFacts): string | undefined {
  if (!line.is(Trait.DECORATOR)) return undefined;
  const decorated = decoratedNode(line);
  return decorated === NONE ? undefined : decoratedFunctionName(line.tree, decorated);
}

/** Whether the decorator line belongs to a class (`_decorator_decorates_class`). */
export function decoratesClass(line: LineFacts): boolean {
  if (!line.is(Trait.DECORATOR)) return false;
  const decorated = decoratedNode(line);
  return decorated !== NONE && firstChildOfKind(line.tree, decorated, Kind.classdef) !== NONE;
}

/**
 * Whether a decorated function of the same name follows the definition (`_def_is_followed_by_same_name_decorated_func`).
 * @param throughIf whether it may also begin the first branch of an `if` that follows
 */
export function isFollowedBySameName(line: LineFacts, throughIf: boolean): boolean {
  const { tree } = line;
  const name = definedName(line);
  const decorated = decoratedNode(line);
  if (name === undefined || decorated === NONE) return false;
  let sibling = tree.next[decorated]!;
  while (sibling !== NONE && isBetweenStatements(tree.kind[sibling]!)) sibling = tree.next[sibling]!;
  if (sibling === NONE || tree.kind[sibling]! < FIRST_NODE) return false;
  if (tree.kind[sibling] === Kind.decorated) return decoratesFunctionNamed(tree, sibling, name);
  if (!throughIf || tree.kind[sibling] !== Kind.if_stmt) return false;
  const suite = firstChildOfKind(tree, sibling, Kind.suite);
  return suite !== NONE && suiteFirstFunctionName(tree, suite) === name;
}

/** Whether the decorator line begins a group of functions of one name (`_is_start_of_decorated_group`). */
export function startsDecoratedGroup(line: LineFacts): boolean {
  const { tree } = line;
  if (!line.is(Trait.DECORATOR)) return false;
  const decorated = decoratedNode(line);
  if (decorated === NONE || tree.parent[decorated] === NONE) return false;
  const name = decoratedFunctionName(tree, decorated);
  if (name === undefined) return false;
  const adjacent = adjacentDecorated(tree, decorated, false);
  return adjacent !== NONE && decoratesFunctionNamed(tree, adjacent, name);
}

/** The suite after the colon that ends the line; `NONE` for other lines. */
function openedSuite(line: LineFacts): number {
  const { tree } = line;
  if (!line.is(Trait.OPENS_BLOCK)) return NONE;
  const suite = tree.next[line.last]!;
  return suite !== NONE && tree.kind[suite] === Kind.suite ? suite : NONE;
}

/** Name of the decorated function that the line's block begins with (`_get_block_first_decorated_funcname`). */
export function blockFirstFunctionName(line: LineFacts): string | undefined {
  const suite = openedSuite(line);
  return suite === NONE ? undefined : suiteFirstFunctionName(line.tree, suite);
}

/** Whether the line's block is part of a group that goes on elsewhere (`_block_is_part_of_overload_group`). */
export function blockIsPartOfGroup(line: LineFacts): boolean {
  const { tree } = line;
  const name = blockFirstFunctionName(line);
  if (name === undefined) return false;
  const suite = openedSuite(line);
  const statement = tree.parent[suite]!;
  if (statement === NONE) return false;
  const adjacent = adjacentDecorated(tree, statement, false);
  if (adjacent !== NONE && decoratesFunctionNamed(tree, adjacent, name)) return true;
  return otherBranchHas(tree, statement, suite, name);
}

/** Whether the decorator stands in a branch of a conditional group (`_is_decorator_in_conditional_overload`). */
export function isInConditionalGroup(line: LineFacts): boolean {
  const { tree } = line;
  const name = decoratorTargetName(line);
  const decorated = decoratedNode(line);
  if (name === undefined || decorated === NONE) return false;
  const suite = tree.parent[decorated]!;
  if (suite === NONE || tree.kind[suite] !== Kind.suite) return false;
  const statement = tree.parent[suite]!;
  if (statement === NONE || tree.kind[statement] !== Kind.if_stmt) return false;
  for (const backwards of [true, false]) {
    const adjacent = adjacentDecorated(tree, statement, backwards);
    if (adjacent !== NONE && decoratesFunctionNamed(tree, adjacent, name)) return true;
  }
  return otherBranchHas(tree, statement, suite, name);
}
