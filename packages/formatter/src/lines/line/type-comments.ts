import { Kind } from "../../syntax/kinds.ts";
import { isTypeComment, isTypeIgnoreComment } from "../../syntax/predicates/type-comments.ts";
import { NONE } from "../../syntax/tree.ts";
import { commentsAfter, type LineView } from "./line-view.ts";

/** Whether one of several adjacent strings carries a comment (Black: contains_implicit_multiline_string_with_comments). */
export function hasCommentInsideConcatenation(line: LineView): boolean {
  const { tree, leaves } = line;
  for (let i = 0; i < leaves.length; i++) {
    if (tree.kind[leaves[i]!] !== Kind.STRING) continue;
    const adjacent =
      (i > 0 && tree.kind[leaves[i - 1]!] === Kind.STRING) ||
      (i + 1 < leaves.length && tree.kind[leaves[i + 1]!] === Kind.STRING);
    if (adjacent && commentsAfter(line, leaves[i]!).length > 0) return true;
  }
  return false;
}

/**
 * Whether joining the line would move a type comment to another element or hide it behind a comment
 * (Black: contains_uncollapsable_type_comments).
 */
export function hasUncollapsableTypeComments(
  line: LineView,
  comments: ReadonlyMap<number, readonly number[]>,
): boolean {
  const { tree, leaves } = line;
  if (leaves.length === 0) return false;
  const last = leaves[leaves.length - 1]!;
  let beforeLast: number = NONE;
  // A comma or parenthesis that layout adds at the end doesn't part a comment from its element.
  const addable =
    tree.kind[last] === Kind.COMMA || (tree.kind[last] === Kind.RPAR && tree.textLength(last) === 0);
  if (addable) {
    if (leaves.length < 2) return false;
    beforeLast = leaves[leaves.length - 2]!;
  }
  let commentSeen = false;
  for (const [leaf, attached] of comments) {
    for (const comment of attached) {
      if (isTypeComment(tree, comment)) {
        const atEnd = leaf === last || leaf === beforeLast;
        if (commentSeen || (!isTypeIgnoreComment(tree, comment) && !atEnd)) return true;
      }
      commentSeen = true;
    }
  }
  return false;
}

/** Whether two `type: ignore` comments stand outside brackets (Black: contains_multiple_type_ignores_at_current_depth). */
export function hasMultipleTypeIgnores(line: LineView): boolean {
  const { tree } = line;
  let count = 0;
  for (const leaf of line.leaves) {
    if (tree.depth[leaf] !== 0) continue;
    for (const comment of commentsAfter(line, leaf)) {
      if (isTypeIgnoreComment(tree, comment) && ++count > 1) return true;
    }
  }
  return false;
}

/**
 * Whether the line was one physical line that ends with `type: ignore`: it must stay one, for nobody knows what
 * part of it the comment is about (Black: contains_unsplittable_type_ignore).
 */
export function hasUnsplittableTypeIgnore(line: LineView): boolean {
  const { tree, leaves } = line;
  let firstLine = 0;
  for (let i = 0; i < leaves.length && firstLine === 0; i++) firstLine = tree.line[leaves[i]!]!;
  let lastLine = 0;
  for (let i = leaves.length - 1; i >= 0 && lastLine === 0; i--) lastLine = tree.line[leaves[i]!]!;
  if (firstLine !== lastLine || firstLine === 0) return false;
  // Two leaves: the last may be a comma or a parenthesis that layout added.
  for (let i = Math.max(0, leaves.length - 2); i < leaves.length; i++) {
    for (const comment of commentsAfter(line, leaves[i]!)) {
      if (isTypeIgnoreComment(tree, comment)) return true;
    }
  }
  return false;
}
