/** Relations between nodes (`nodes.py`: parent_type, child_towards, container_of and others). */
import { isClosingBracket, isOpeningBracket, Kind } from "../kinds.ts";
import { NONE, type Tree } from "../tree.ts";

/** Kind of the parent, or `NONE` (`parent_type`). */
export function parentKind(tree: Tree, id: number): number {
  if (id === NONE) return NONE;
  const parent = tree.parent[id]!;
  return parent === NONE ? NONE : tree.kind[parent]!;
}

/** Kind of the previous sibling, or `NONE`. */
export function prevKind(tree: Tree, id: number): number {
  const prev = tree.prev[id]!;
  return prev === NONE ? NONE : tree.kind[prev]!;
}

/** Kind of the next sibling, or `NONE`. */
export function nextKind(tree: Tree, id: number): number {
  const next = tree.next[id]!;
  return next === NONE ? NONE : tree.kind[next]!;
}

/** The child of `ancestor` that holds `descendant`; `NONE` if it is not below it (`child_towards`). */
export function childTowards(tree: Tree, ancestor: number, descendant: number): number {
  let node = descendant;
  while (node !== NONE && tree.parent[node] !== ancestor) node = tree.parent[node]!;
  return node;
}

/** Puts `replacement` where `old` was; does nothing when `old` has no parent (`replace_child`). */
export function replaceChild(tree: Tree, old: number, replacement: number): void {
  if (tree.parent[old] !== NONE) tree.replace(old, replacement);
}

/** The topmost node, up to a statement, that starts with the leaf and its prefix (`container_of`). */
export function containerOf(tree: Tree, leaf: number): number {
  const prefix = tree.prefix(leaf);
  let container = leaf;
  for (;;) {
    const parent = tree.parent[container]!;
    if (parent === NONE) return container;
    if (tree.prefix(tree.first[parent]!) !== prefix) return container;
    if (tree.kind[parent] === Kind.file_input) return container;
    const before = tree.prev[parent]!;
    if (before !== NONE && (isOpeningBracket(tree.kind[before]!) || isClosingBracket(tree.kind[before]!))) {
      return container;
    }
    container = parent;
  }
}

/** The furthest ancestor whose last leaf is this leaf (`furthest_ancestor_with_last_leaf`). */
export function furthestAncestorWithLastLeaf(tree: Tree, leaf: number): number {
  let node = leaf;
  while (tree.parent[node] !== NONE && tree.next[node] === NONE) node = tree.parent[node]!;
  return node;
}

/** Whether any sibling, before or after, has the kind (`has_sibling_with_type`). */
export function hasSiblingWithKind(tree: Tree, id: number, kind: number): boolean {
  for (let at = tree.prev[id]!; at !== NONE; at = tree.prev[at]!) if (tree.kind[at] === kind) return true;
  for (let at = tree.next[id]!; at !== NONE; at = tree.next[at]!) if (tree.kind[at] === kind) return true;
  return false;
}
