/** Parentheses of `from ... import` (`linegen.py` _normalize_import_from). */
import { Kind } from "../../syntax/kinds.ts";
import { makeLpar, makeRpar } from "../../syntax/parentheses.ts";
import type { Tree } from "../../syntax/tree.ts";

/** Hides the parentheses of the imported names, or adds invisible ones; these leaves are the statement's own. */
export function normalizeImportFrom(tree: Tree, statement: number, child: number): void {
  const kind = tree.kind[child];
  if (kind === Kind.LPAR) {
    tree.setText(child, "");
    tree.setText(tree.last[statement]!, "");
  } else if (kind !== Kind.STAR) {
    tree.insertBefore(statement, child, makeLpar(tree, false));
    tree.append(statement, makeRpar(tree, false));
  }
}
