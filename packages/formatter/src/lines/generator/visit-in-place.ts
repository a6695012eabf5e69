/** The order in which children are visited while lines that end among them are split (`pytree.py` Node.children). */
import { gainedChildren } from "../../syntax/gained-children.ts";
import { NONE } from "../../syntax/tree.ts";
import type { Generation } from "./visitor.ts";

/** Visits the children of a node one by one, as `visitInPlace` says. */
export function visitChildrenInPlace(generator: Generation, node: number): void {
  let child = generator.tree.first[node]!;
  while (child !== NONE) child = visitInPlace(generator, node, child);
}

/**
 * Visits a child and returns the one to visit next, `NONE` at the end. That is the one with the next index, as Black's
 * loop goes by: when the visit ends a line with a string that is a child of the same node (`"a"; b`, `class A("a"):`),
 * string processing has taken the string out of the children, so that the next of them is passed over, or has put
 * several leaves in its place, so that some are visited again. The safety check finds out.
 */
export function visitInPlace(generator: Generation, node: number, child: number): number {
  const { tree } = generator;
  const before = gainedChildren(tree, node);
  generator.visit(child);
  const shift = gainedChildren(tree, node) - before;
  let next = child;
  for (let step = shift; step < 1 && next !== NONE; step++) next = tree.next[next]!;
  for (let step = shift; step > 1 && next !== NONE; step--) next = tree.prev[next]!;
  return next;
}
