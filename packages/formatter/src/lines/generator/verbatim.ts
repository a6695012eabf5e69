import { Kind } from "../../syntax/kinds.ts";
import { NONE, TextFlag, type Tree } from "../../syntax/tree.ts";
import type { Generation } from "./visitor.ts";

/**
 * Emits the header of a block that begins with the child of a compound statement, if it is printed as it stands.
 * Returns the colon that ends it; `NONE` where nothing was emitted.
 */
export function emitVerbatimHeader(generator: Generation, child: number): number {
  const { tree } = generator;
  const first = tree.firstLeaf(child);
  if ((tree.textFlags[first]! & TextFlag.VERBATIM) === 0) return NONE;
  let colon = child;
  while (colon !== NONE && tree.kind[colon] !== Kind.COLON) colon = tree.next[colon]!;
  if (colon === NONE) return NONE;
  const suite = tree.next[colon]!;
  if (tree.kind[suite] !== Kind.suite) return NONE;
  const newline = tree.first[suite]!;
  // A body of dots alone may go on the header's line.
  if (tree.kind[tree.firstLeaf(tree.next[tree.next[newline]!]!)] === Kind.DOT) return NONE;
  if (!generator.emitVerbatim(withAsync(tree, first), colon, tree.start[newline]!)) return NONE;
  // A comment behind the colon has been printed.
  tree.setPrefix(newline, "");
  return colon;
}

/** The `async` before the statement that the leaf begins, or the leaf. */
function withAsync(tree: Tree, first: number): number {
  const statement = tree.parent[first]!;
  const before = tree.first[statement] === first ? tree.prev[statement]! : NONE;
  return before !== NONE && tree.kind[before] === Kind.ASYNC ? before : first;
}
