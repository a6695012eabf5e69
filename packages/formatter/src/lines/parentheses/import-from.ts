/** Parentheses of `from ... import` (`linegen.py` _normalize_import_from). */
import { BrokenTreeError } from "../../syntax/broken-tree-error.ts";
import { Kind } from "../../syntax/kinds.ts";
import { makeLpar, makeRpar } from "../../syntax/parentheses.ts";
import type { Tree } from "../../syntax/tree.ts";

/** Hides the parentheses of the imported names, or adds invisible ones; these leaves are the statement's own. */
export function normalizeImportFrom(tree: Tree, statement: number, child: number): void {
  const kind = tree.kind[child];
  if (kind === Kind.LPAR) {
    const closing = tree.last[statement]!;
    // A directive has taken the closing one; Black's assertion has no words.
    if (tree.kind[closing] !== Kind.RPAR) throw new BrokenTreeError("");
    tree.setText(child, "");
    tree.setText(closing, "");
  } else if (kind !== Kind.STAR) {
    tree.insertBefore(statement, child, makeLpar(tree, false));
    tree.append(statement, makeRpar(tree, false));
  }
}
