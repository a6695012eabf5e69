/** The source text of nodes (`ranges.py` _str_with_standalone_comments, _leaf_line_end). */
import { containsFmtDirective, FMT_SKIP } from "../../comments/directives.ts";
import { BrokenTreeError, EMPTY_NODE } from "../../syntax/broken-tree-error.ts";
import { Kind } from "../../syntax/kinds.ts";
import type { Tree } from "../../syntax/tree.ts";

/** The text of all leaves with their prefixes; a kept comment that ends in `# fmt: skip` ends its line. */
export function textWithComments(tree: Tree, node: number): string {
  const leaves = tree.leaves(node);
  if (leaves.length === 0) throw new BrokenTreeError(EMPTY_NODE);
  let text = "";
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    const part = tree.prefix(leaf) + tree.text(leaf);
    text += part;
    if (tree.kind[leaf] !== Kind.STANDALONE_COMMENT || i + 1 === leaves.length) continue;
    const next = leaves[i + 1]!;
    if (!(tree.prefix(next) + tree.text(next)).startsWith("\n") && endsWithFmtSkip(part)) text += "\n";
  }
  return text;
}

function endsWithFmtSkip(text: string): boolean {
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  const comment = lastLine.indexOf("#");
  return comment !== -1 && containsFmtDirective(lastLine.slice(comment), FMT_SKIP);
}

/** The line on which the leaf ends, with the line breaks of its prefix counted once more as Black does. */
export function lineAfter(tree: Tree, leaf: number): number {
  const line = tree.line[leaf]!;
  if (tree.kind[leaf] === Kind.NEWLINE) return line;
  return line + countNewlines(tree.prefix(leaf)) + countNewlines(tree.text(leaf));
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
