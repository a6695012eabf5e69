/** What `# fmt: off` covers (`comments.py` generate_ignored_nodes). */
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { containerOf } from "../../syntax/predicates/family.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { childrenContainFmtOn, isFmtOn } from "./fmt-on.ts";

/** Nodes and leaves from the container of `leaf` to `# fmt: on` or the end of the block. */
export function nodesAfterFmtOff(tree: Tree, leaf: number): number[] {
  const ignored: number[] = [];
  let container = containerOf(tree, leaf);
  while (container !== NONE && tree.kind[container] !== Kind.ENDMARKER) {
    if (isFmtOn(tree, container)) return ignored;
    if (childrenContainFmtOn(tree, container)) {
      addChildrenUpToFmtOn(tree, container, ignored);
      return ignored;
    }
    // A DEDENT without `# fmt: on` at its own level has to stay.
    if (tree.kind[container] === Kind.DEDENT && tree.next[container] === NONE) return ignored;
    ignored.push(container);
    container = tree.next[container]!;
  }
  return ignored;
}

function addChildrenUpToFmtOn(tree: Tree, container: number, ignored: number[]): void {
  for (let child = tree.first[container]!; child !== NONE; child = tree.next[child]!) {
    const kind = tree.kind[child]!;
    if (tree.isLeaf(child) && isFmtOn(tree, child)) {
      // `# fmt: on` at another bracket level than `# fmt: off` is wrong; taking the bracket avoids a failure.
      if (isClosingBracket(kind)) ignored.push(child);
      return;
    }
    const next = tree.next[child]!;
    if (kind === Kind.INDENT && next !== NONE && childrenContainFmtOn(tree, next)) return;
    if (childrenContainFmtOn(tree, child)) return;
    ignored.push(child);
  }
}
