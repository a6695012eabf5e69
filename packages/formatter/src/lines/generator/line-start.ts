import { LINE_BREAK, MOST_LINE_BREAKS } from "../../syntax/leaf-space.ts";
import { PrefixFlag, type Tree } from "../../syntax/tree.ts";

const LF = 0x0a;

/**
 * Notes for a leaf that begins a line how many line breaks are before it (`comments.py` normalize_trailing_prefix).
 * A prefix with a backslash counts as empty.
 */
export function countNewlines(tree: Tree, leaf: number): void {
  const flags = tree.prefixFlags[leaf]!;
  if ((flags & (PrefixFlag.NEWLINE | PrefixFlag.FORM_FEED | PrefixFlag.BACKSLASH)) === 0) {
    tree.newlines[leaf] = 0;
    return;
  }
  if ((flags & PrefixFlag.BACKSLASH) !== 0) {
    tree.newlines[leaf] = 0;
    tree.prefixFlags[leaf]! &= ~PrefixFlag.FORM_FEED;
    return;
  }
  const prefix = tree.prefix(leaf);
  let newlines = 0;
  for (let i = 0; i < prefix.length; i++) if (prefix.charCodeAt(i) === LF) newlines++;
  tree.newlines[leaf] = newlines;
  if ((flags & PrefixFlag.FORM_FEED) !== 0 && !prefix.endsWith("\n")) {
    tree.prefixFlags[leaf]! &= ~PrefixFlag.FORM_FEED;
  }
}

/**
 * Has the line breaks before a leaf printed within its line. Black does so behind a block between `# fmt: off` and
 * `# fmt: on` that ends the line of the bracket around it: there the rest of the bracket counts as outside of brackets,
 * where the only line breaks that are left before a leaf are those of the source (`linegen.py` visit_default).
 */
export function keepLineBreaks(tree: Tree, leaf: number): void {
  if ((tree.prefixFlags[leaf]! & PrefixFlag.BACKSLASH) !== 0) return;
  const breaks = tree.prefix(leaf).split("\n").length - 1;
  tree.space[leaf]! += Math.min(breaks, MOST_LINE_BREAKS) * LINE_BREAK;
}

/** The same for a leaf whose prefix is taken as it is. */
export function startLineAt(tree: Tree, leaf: number, prefix: string): void {
  let newlines = 0;
  for (let i = 0; i < prefix.length; i++) if (prefix.charCodeAt(i) === LF) newlines++;
  tree.newlines[leaf] = newlines;
  if (prefix.includes("\f\n")) tree.prefixFlags[leaf]! |= PrefixFlag.FORM_FEED;
  else tree.prefixFlags[leaf]! &= ~PrefixFlag.FORM_FEED;
}
