import type { Line } from "../../lines/line.ts";
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { isEmptyLpar } from "../../syntax/predicates/brackets.ts";
import { isTypeIgnoreComment } from "../../syntax/predicates/type-comments.ts";
import { NONE } from "../../syntax/tree.ts";
import type { BracketSplit } from "../splits/bracket-split.ts";

/** Whether a comment needs the optional parentheses of the split (Black: the first half of can_omit_invisible_parens). */
export function commentsForbidOmitting(split: BracketSplit): boolean {
  if (split.line.comments === undefined && !split.line.containsStandaloneComments()) return false;
  const { head, body } = split;
  // Several `type: ignore` comments must stay on lines of their own: the parentheses give room for that.
  if (
    body.containsMultipleTypeIgnoresAtCurrentDepth() &&
    body.tracker.delimiterLeaves.length === 0 &&
    body.indexOfKind(Kind.DOT) !== -1
  ) {
    return true;
  }
  if (head.comments !== undefined) {
    // Without its parenthesis a comment would belong to another leaf the next time.
    if (isEmptyLpar(head.tree, split.openingBracket) && head.commentsAfter(split.openingBracket).length > 0) {
      return true;
    }
    if (mixesTypeIgnores(split)) return true;
  }
  return hasStandaloneCommentOutsideBrackets(body);
}

/** Whether a `type: ignore` and another comment would end up on the same line. */
function mixesTypeIgnores(split: BracketSplit): boolean {
  const { head, body } = split;
  if (head.leaves.length === 0) return false;
  let ignoreInHead = false;
  let otherInHead = false;
  for (const comment of head.commentsAfter(head.leaves[head.leaves.length - 1]!)) {
    if (isTypeIgnoreComment(head.tree, comment)) ignoreInHead = true;
    else otherInHead = true;
  }
  if (!ignoreInHead && !otherInHead) return false;
  let ignoreInBody = false;
  let otherInBody = false;
  for (const leaf of body.leaves) {
    for (const comment of body.commentsAfter(leaf)) {
      if (isTypeIgnoreComment(body.tree, comment)) ignoreInBody = true;
      else otherInBody = true;
    }
  }
  return (ignoreInHead && otherInBody) || (otherInHead && ignoreInBody);
}

/** Only the optional parentheses can give such a comment a line of its own. */
function hasStandaloneCommentOutsideBrackets(line: Line): boolean {
  if (!line.containsStandaloneComments()) return false;
  const { tree, leaves } = line;
  let closing: number = NONE;
  for (let i = leaves.length - 1; i >= 0; i--) {
    const leaf = leaves[i]!;
    if (closing !== NONE) {
      if (leaf === tree.mate[closing]) closing = NONE;
      else continue;
    }
    const kind = tree.kind[leaf]!;
    if (kind === Kind.STANDALONE_COMMENT) return true;
    if (isClosingBracket(kind) && tree.mate[leaf] !== NONE && tree.textLength(leaf) > 0) closing = leaf;
  }
  return false;
}
