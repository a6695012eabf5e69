import type { Line } from "../../lines/line.ts";
import { Kind } from "../../syntax/kinds.ts";
import { LineStack, withoutLeadingSpace } from "./line-stack.ts";

/** Gives standalone comments lines of their own (Black: standalone_comment_split). */
export function standaloneCommentSplit(line: Line): Line[] | undefined {
  if (!line.containsStandaloneComments()) return undefined;
  const lines = new LineStack(line);
  for (const leaf of line.leaves) {
    lines.append(leaf);
    lines.appendCommentsAfter(leaf);
  }
  return withoutLeadingSpace(lines.finish());
}

/** Cuts at every standalone comment when nothing else did: the output must at least be valid (Black: _force_standalone_comment_split). */
export function forceStandaloneCommentSplit(line: Line): Line[] {
  const tree = line.tree;
  const lines = new LineStack(line);
  for (const leaf of line.leaves) {
    const afterComment = lines.current.isComment();
    const kind = tree.kind[leaf];
    // The colon that ends a header stays behind a comment in front of it.
    if (
      lines.current.leaves.length > 0 &&
      (kind === Kind.STANDALONE_COMMENT || afterComment) &&
      !(afterComment && kind === Kind.COLON)
    ) {
      lines.breakLine();
    }
    lines.current.append(leaf, true);
    for (const comment of line.commentsAfter(leaf)) lines.current.append(comment, true);
  }
  return lines.finish();
}
