/** What `# fmt: skip` covers (`comments.py` _generate_ignored_nodes_from_fmt_skip). */
import { isClosingBracket, isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { listComments, type ProtoComment } from "../list-comments.ts";
import { compoundHeader } from "./compound-header.ts";

/** Nodes and leaves that the comment before `leaf` covers; changes prefixes of leaves at their edges. */
export function nodesBeforeFmtSkip(tree: Tree, leaf: number, comment: ProtoComment): number[] {
  const comments = listComments(tree.prefix(leaf), false);
  if (comments.length === 0 || comment.value !== comments[0]!.value) return [];
  const parent = tree.parent[leaf]!;
  if (parentKind(tree, leaf) === Kind.suite && tree.kind[leaf] === Kind.NEWLINE) {
    return headerBeforeSuite(tree, leaf, parent);
  }
  const previous = previousSibling(tree, leaf, comment);
  if (previous === NONE) return [];
  let ignored = nodesOnLine(tree, previous);
  if (parent !== NONE) ignored = [...compoundHeader(tree, parent), ...ignored];
  if (leavesBracketOpen(tree, ignored)) ignored = [enclosingStatement(tree, leaf)];
  if (!coversLeaf(tree, ignored, leaf)) tree.setPrefix(leaf, tree.prefix(leaf).slice(comment.consumed));
  return ignored;
}

/** Whether the leaf is among the nodes or below one of them. */
export function coversLeaf(tree: Tree, nodes: readonly number[], leaf: number): boolean {
  for (let at = leaf; at !== NONE; at = tree.parent[at]!) if (nodes.includes(at)) return true;
  return false;
}

function previousSibling(tree: Tree, leaf: number, comment: ProtoComment): number {
  const parent = tree.parent[leaf]!;
  let previous = tree.prev[leaf]!;
  if (previous === NONE && parent !== NONE) previous = tree.prev[parent]!;
  if (previous === NONE && comment.kind === Kind.COMMENT) {
    for (let at = leaf; at !== NONE && previous === NONE; at = tree.parent[at]!) previous = tree.prev[at]!;
  }
  return previous;
}

/** The comment stands behind the colon of a compound statement: everything before its suite. */
function headerBeforeSuite(tree: Tree, leaf: number, suite: number): number[] {
  tree.setPrefix(leaf, "");
  const ignored: number[] = [];
  for (let at = tree.prev[suite]!; at !== NONE && tree.kind[at] !== Kind.suite; at = tree.prev[at]!) {
    ignored.unshift(at);
  }
  const statement = tree.parent[suite]!;
  const before = statement === NONE ? NONE : tree.prev[statement]!;
  if (before !== NONE && tree.kind[before] === Kind.ASYNC) ignored.unshift(before);
  return ignored;
}

/** Nodes on the line that ends with `last`, found leaf by leaf from the right. */
function nodesOnLine(tree: Tree, last: number): number[] {
  let current = last;
  if (isOpeningBracket(tree.kind[current]!) && parentKind(tree, current) === Kind.atom) {
    current = tree.parent[current]!;
  }
  const ignored = [current];
  if (tree.prev[current] === NONE && tree.parent[current] !== NONE) current = tree.parent[current]!;
  const seen = new Set([current]);
  while (tree.prev[current] !== NONE && !tree.prefix(current).includes("\n")) {
    const lastLeaf = tree.lastLeaf(tree.prev[current]!);
    const next = lastLeaf === NONE ? current : lastLeaf;
    if (seen.has(next)) break;
    seen.add(next);
    current = next;
    const kind = tree.kind[current]!;
    if (kind === Kind.STANDALONE_COMMENT) break;
    if (isClosingBracket(kind) && parentKind(tree, current) === Kind.atom) current = tree.parent[current]!;
    if (kind === Kind.NEWLINE || kind === Kind.INDENT) {
      if (listComments(tree.prefix(current), false).length === 0) tree.setPrefix(current, "");
      break;
    }
    if (kind === Kind.DEDENT) break;
    current = asExpressionOfWith(tree, current);
    ignored.unshift(current);
    if (tree.prev[current] !== NONE || tree.parent[current] === NONE) continue;
    current = climb(tree, tree.parent[current]!, ignored);
  }
  return ignored;
}

/** The whole `x as y` of a `with` for one of its children. */
function asExpressionOfWith(tree: Tree, id: number): number {
  const parent = tree.parent[id]!;
  if (parent === NONE || tree.kind[parent] !== Kind.asexpr_test) return id;
  return parentKind(tree, parent) === Kind.with_stmt ? parent : id;
}

/** Takes a node for all of its children, and so its parent, as long as all children are ignored. */
function climb(tree: Tree, start: number, ignored: number[]): number {
  if (!startsWithChildren(tree, start, ignored)) return start;
  ignored.splice(0, tree.childCount(start), start);
  let current = start;
  while (tree.prev[current] === NONE && tree.parent[current] !== NONE) {
    const parent = tree.parent[current]!;
    if (!startsWithChildren(tree, parent, ignored)) break;
    ignored.splice(0, tree.childCount(parent), parent);
    current = parent;
  }
  return current;
}

function startsWithChildren(tree: Tree, id: number, ignored: readonly number[]): boolean {
  let i = 0;
  for (let child = tree.first[id]!; child !== NONE; child = tree.next[child]!) {
    if (ignored[i++] !== child) return false;
  }
  return i > 0;
}

function leavesBracketOpen(tree: Tree, nodes: readonly number[]): boolean {
  let depth = 0;
  for (const node of nodes) {
    for (const leaf of tree.leaves(node)) {
      const kind = tree.kind[leaf]!;
      if (isOpeningBracket(kind)) depth++;
      else if (isClosingBracket(kind)) depth--;
    }
  }
  return depth > 0;
}

function enclosingStatement(tree: Tree, leaf: number): number {
  let at = leaf;
  for (;;) {
    const kind = parentKind(tree, at);
    if (kind === NONE || kind === Kind.file_input || kind === Kind.suite) return at;
    at = tree.parent[at]!;
  }
}
