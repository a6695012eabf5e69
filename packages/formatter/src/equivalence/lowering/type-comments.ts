import { NONE, PrefixFlag, type Tree } from "../../syntax/tree.ts";

/** All type comments of a file without their white space, sorted: moving one changes nothing here, losing one does. */
export function typeComments(tree: Tree, root: number): string {
  if (!mayHoldTypeComment(tree.source)) return "";
  const found: string[] = [];
  const last = tree.lastLeaf(root);
  for (let leaf = tree.firstLeaf(root); leaf !== NONE; leaf = tree.nextLeaf(leaf)) {
    if ((tree.prefixFlags[leaf]! & PrefixFlag.COMMENT) !== 0)
      for (const match of tree.prefix(leaf).matchAll(/#[ \t]*type:[^\n]*/g))
        found.push(match[0].replace(/\s+/g, ""));
    if (leaf === last) break;
  }
  return found.sort().join("\n");
}

/** Whether `type:` stands behind a `#`, be it in a string. */
function mayHoldTypeComment(source: string): boolean {
  for (let at = source.indexOf("type:"); at !== -1; at = source.indexOf("type:", at + 1)) {
    let before = at - 1;
    while (source[before] === " " || source[before] === "\t") before--;
    if (source[before] === "#") return true;
  }
  return false;
}
