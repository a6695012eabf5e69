/** Comments of a prefix as leaves (`comments.py` generate_comments, normalize_trailing_prefix). */
import { Kind } from "../syntax/kinds.ts";
import { NONE, PrefixFlag, type Tree } from "../syntax/tree.ts";
import { listComments, type ProtoComment } from "./list-comments.ts";

const none: readonly number[] = [];

/**
 * New unlinked leaves for the comments before `id`, a leaf or a node, in order; its prefix keeps only the line breaks
 * after the last one. `newlines` of each leaf is set, and its form feed stands in `prefixFlags`. Where only some lines
 * are formatted, comments on the others keep the form that they have in the source, unless all are to be normalized.
 */
export function generateComments(tree: Tree, id: number, normalizesAll = false): readonly number[] {
  const leaf = tree.firstLeaf(id);
  if (leaf === NONE) return none;
  const prefix = tree.prefix(leaf);
  const comments = listComments(prefix, tree.kind[id] === Kind.ENDMARKER);
  const kept = tree.keptCode.get(id);
  const selection = normalizesAll ? undefined : kept?.selection;
  const firstLine = kept === undefined ? 0 : kept.firstLine - (prefix.split("\n").length - 1);
  const leaves: number[] = [];
  let consumed = 0;
  for (const comment of comments) {
    consumed = comment.consumed;
    const isKept = selection !== undefined && !selection.has(firstLine + comment.lineIndex);
    leaves.push(makeCommentLeaf(tree, comment, isKept));
  }
  normalizeTrailingPrefix(tree, leaf, prefix, consumed);
  return leaves;
}

function makeCommentLeaf(tree: Tree, comment: ProtoComment, isKept: boolean): number {
  const text = isKept ? comment.leadingWhitespace + comment.originalValue : comment.value;
  const leaf = tree.makeLeaf(comment.kind, text, makeSimplePrefix(comment.newlines, comment.formFeed));
  tree.newlines[leaf] = comment.newlines;
  return leaf;
}

/** Line breaks, with a form feed before the last one (`nodes.py` make_simple_prefix). */
function makeSimplePrefix(newlines: number, formFeed: boolean): string {
  if (!formFeed) return "\n".repeat(newlines);
  return `${"\n".repeat(Math.max(0, newlines - 1))}\f\n`;
}

/** Leaves nothing but line breaks and a form feed of the prefix from `consumed` on; nothing after a backslash. */
function normalizeTrailingPrefix(tree: Tree, leaf: number, prefix: string, consumed: number): void {
  const rest = prefix.slice(consumed);
  if (rest.includes("\\")) {
    tree.setPrefix(leaf, "");
    return;
  }
  let newlines = 0;
  for (let at = 0; at < rest.length; at++) if (rest.charCodeAt(at) === 0x0a) newlines++;
  const formFeed = (tree.prefixFlags[leaf]! & PrefixFlag.FORM_FEED) !== 0 && rest.includes("\f");
  tree.setPrefix(leaf, makeSimplePrefix(newlines, formFeed && rest.endsWith("\n")));
}
