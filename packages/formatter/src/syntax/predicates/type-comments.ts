/** `# type:` comments (`nodes.py` is_type_comment and others). */
import { isPythonSpace } from "../../util/python-text.ts";
import { Kind } from "../kinds.ts";
import type { Tree } from "../tree.ts";

function isCommentKind(kind: number): boolean {
  return kind === Kind.COMMENT || kind === Kind.STANDALONE_COMMENT;
}

/** Index of `type:` after `#` and white space, or -1. */
function typeStart(comment: string): number {
  if (comment.charCodeAt(0) !== 0x23) return -1;
  let at = 1;
  while (at < comment.length && isPythonSpace(comment.charCodeAt(at))) at++;
  return comment.startsWith("type:", at) ? at : -1;
}

/** Whether the text is `# type: ...` (`is_type_comment_string`). */
export function isTypeCommentString(comment: string): boolean {
  return typeStart(comment) !== -1;
}

/** Whether the text is `# type: ignore...` (`is_type_ignore_comment_string`). */
export function isTypeIgnoreCommentString(comment: string): boolean {
  const start = typeStart(comment);
  if (start === -1) return false;
  let at = start + "type:".length;
  while (at < comment.length && isPythonSpace(comment.charCodeAt(at))) at++;
  return comment.startsWith("ignore", at);
}

/** Whether the leaf is a type comment, `ignore` included (`is_type_comment`). */
export function isTypeComment(tree: Tree, leaf: number): boolean {
  return isCommentKind(tree.kind[leaf]!) && isTypeCommentString(tree.text(leaf));
}

/** Whether the leaf is a `# type: ignore` comment (`is_type_ignore_comment`). */
export function isTypeIgnoreComment(tree: Tree, leaf: number): boolean {
  return isCommentKind(tree.kind[leaf]!) && isTypeIgnoreCommentString(tree.text(leaf));
}
