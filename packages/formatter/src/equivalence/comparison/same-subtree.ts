import { FIRST_NODE, Kind } from "../../syntax/kinds.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";

/**
 * Whether two subtrees of parsed sources have the same shape and leaves, so that only layout differs. White space is
 * part of no leaf; a string may stand in other quotes. Only what means the same is called the same, but not all of it.
 */
export function isSameSubtree(left: Tree, a: number, right: Tree, b: number): boolean {
  let x = a;
  let y = b;
  for (;;) {
    const kind = left.kind[x]!;
    if (kind !== right.kind[y]!) return false;
    if (kind >= FIRST_NODE) {
      x = left.first[x]!;
      y = right.first[y]!;
      if (x === NONE || y === NONE) return false;
      continue;
    }
    if (hasOwnText(kind) && !isSameLeaf(left, x, right, y)) return false;
    while (x !== a && left.next[x] === NONE) {
      if (right.next[y] !== NONE) return false;
      x = left.parent[x]!;
      y = right.parent[y]!;
    }
    if (x === a) return true;
    x = left.next[x]!;
    y = right.next[y]!;
    if (y === NONE) return false;
  }
}

/** Whether the kind of a leaf does not tell its text. */
function hasOwnText(kind: number): boolean {
  return kind === Kind.NAME || kind === Kind.STRING || kind === Kind.NUMBER;
}

function isSameLeaf(left: Tree, x: number, right: Tree, y: number): boolean {
  const start = left.start[x]!;
  const length = left.end[x]! - start;
  const other = right.start[y]!;
  if (right.end[y]! - other !== length) return false;
  if (isSameText(left.source, start, right.source, other, length)) return true;
  const quotes = plainQuotes(left, x);
  if (quotes === 0 || quotes !== plainQuotes(right, y)) return false;
  return isSameText(left.source, start + quotes, right.source, other + quotes, length - 2 * quotes);
}

/** How many quotes stand on either side of a string without prefix and backslash; 0 for any other leaf. */
function plainQuotes(tree: Tree, leaf: number): number {
  if (tree.kind[leaf] !== Kind.STRING || (tree.textFlags[leaf]! & TextFlag.BACKSLASH) !== 0) return 0;
  const start = tree.start[leaf]!;
  const quote = tree.source.charCodeAt(start);
  if (quote !== 34 && quote !== 39) return 0;
  const isTriple = tree.source.charCodeAt(start + 1) === quote && tree.source.charCodeAt(start + 2) === quote;
  return isTriple && tree.end[leaf]! - start >= 6 ? 3 : 1;
}

function isSameText(left: string, start: number, right: string, other: number, length: number): boolean {
  for (let i = 0; i < length; i++)
    if (left.charCodeAt(start + i) !== right.charCodeAt(other + i)) return false;
  return true;
}
