import { kindSet } from "../../syntax/kind-set.ts";
import { FIRST_NODE, Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { isSameLeaf } from "./same-leaf.ts";

/**
 * Whether two subtrees of parsed sources have the same shape and leaves, so that only layout differs: white space,
 * which is part of no leaf, the quotes of strings, and commas at the ends of lists. Only what means the same is called
 * the same, but not all of it.
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
    if (!isSameLeaf(left, x, right, y)) return false;
    for (;;) {
      if (x === a) return true;
      const nextLeft = nextMember(left, x);
      const nextRight = nextMember(right, y);
      if ((nextLeft === NONE) !== (nextRight === NONE)) return false;
      if (nextLeft !== NONE) {
        x = nextLeft;
        y = nextRight;
        break;
      }
      x = left.parent[x]!;
      y = right.parent[y]!;
    }
  }
}

/** The next sibling but for a comma at the end of a list. */
function nextMember(tree: Tree, id: number): number {
  const next = tree.next[id]!;
  if (next === NONE || tree.kind[next] !== Kind.COMMA || tree.next[next] !== NONE) return next;
  const list = tree.parent[next]!;
  // A comma may end the names of an import only if they stand in parentheses.
  if (tree.kind[list] === Kind.import_as_names && tree.next[list] === NONE) return next;
  return lists[tree.kind[list]!] === 1 ? NONE : next;
}

/** Nodes that are lowered to their members, or to a tuple of these: with a single member they are none at all. */
const lists = kindSet([
  Kind.arglist,
  Kind.typedargslist,
  Kind.varargslist,
  Kind.import_as_names,
  Kind.listmaker,
  Kind.dictsetmaker,
  Kind.testlist_gexp,
  Kind.subscriptlist,
]);
