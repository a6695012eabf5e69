import { kindName } from "../syntax/kind-names.ts";
import { isNameKind } from "../syntax/kinds.ts";
import type { Tree } from "../syntax/tree.ts";

/** The tree as lines: kinds indented by depth, leaves with prefix and text as JSON strings; names and keywords alike. */
export function dumpTree(tree: Tree, root: number): string {
  const lines: string[] = [];
  const visit = (id: number, depth: number): void => {
    const indent = " ".repeat(depth);
    const kind = tree.kind[id]!;
    if (tree.isLeaf(id)) {
      const name = isNameKind(kind) ? "NAME" : kindName(kind)!;
      lines.push(`${indent}${name} ${JSON.stringify(tree.prefix(id))} ${JSON.stringify(tree.text(id))}`);
      return;
    }
    lines.push(indent + kindName(kind)!);
    for (const child of tree.children(id)) visit(child, depth + 1);
  };
  visit(root, 0);
  return lines.join("\n");
}
