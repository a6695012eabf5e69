import type { Tree } from "../syntax/tree.ts";

/** Whether one of the comment leaves is for a type checker or linter (`comments.py` contains_pragma_comment). */
export function containsPragmaComment(tree: Tree, comments: readonly number[]): boolean {
  for (const comment of comments) {
    const text = tree.text(comment);
    if (text.startsWith("# type:") || text.startsWith("# noqa") || text.startsWith("# pylint:")) return true;
  }
  return false;
}
