import { isClosingBracket, isOpeningBracket, Kind } from "../syntax/kinds.ts";
import { NONE, type Tree } from "../syntax/tree.ts";
import { BracketTracker } from "./brackets.ts";

/**
 * Highest delimiter priority at the top level of an atom in parentheses; 0 for any other node and for an atom
 * without delimiters (Black: max_delimiter_priority_in_atom).
 */
export function maxDelimiterPriorityInAtom(tree: Tree, node: number): number {
  if (tree.kind[node] !== Kind.atom) return 0;
  const first = tree.first[node]!;
  const last = tree.last[node]!;
  if (tree.kind[first] !== Kind.LPAR || tree.kind[last] !== Kind.RPAR) return 0;
  const tracker = new BracketTracker(tree);
  markTopLevel(tree, tracker, tree.next[first]!, last);
  return tracker.maxDelimiterPriority();
}

/**
 * Marks the leaves from sibling `from` up to `stop` that can stand at depth 0. Of a nested bracket pair only
 * the brackets count, so that the cost follows the atom's own length and not everything below it.
 */
function markTopLevel(tree: Tree, tracker: BracketTracker, from: number, stop: number): void {
  for (let child = from; child !== NONE && child !== stop; child = tree.next[child]!) {
    if (tree.isLeaf(child)) {
      tracker.mark(child);
      continue;
    }
    const first = tree.first[child]!;
    if (first === NONE) continue;
    const last = tree.last[child]!;
    if (isOpeningBracket(tree.kind[first]!) && isClosingBracket(tree.kind[last]!)) {
      tracker.mark(first);
      tracker.mark(last);
      tree.knownClosings.add(last);
    } else {
      markTopLevel(tree, tracker, first, NONE);
    }
  }
}
