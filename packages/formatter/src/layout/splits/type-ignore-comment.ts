import type { Line } from "../../lines/line.ts";
import { Kind } from "../../syntax/kinds.ts";
import { isTypeIgnoreComment } from "../../syntax/predicates/type-comments.ts";
import { LineStack, withoutLeadingSpace } from "./line-stack.ts";

/** Breaks an attribute chain after each `type: ignore`, so that they stay apart (Black: type_ignore_comment_split). */
export function typeIgnoreCommentSplit(line: Line): Line[] | undefined {
  if (!line.containsMultipleTypeIgnoresAtCurrentDepth() || line.indexOfKind(Kind.DOT) === -1)
    return undefined;
  const lines = new LineStack(line);
  for (const leaf of line.leaves) {
    lines.current.append(leaf, true);
    const comments = line.commentsAfter(leaf);
    for (const comment of comments) lines.current.append(comment, true);
    if (comments.some((comment) => isTypeIgnoreComment(line.tree, comment))) lines.breakLine();
  }
  return withoutLeadingSpace(lines.finish());
}
