/** Code to comment leaves that are printed as they are (`comments.py` _handle_regular_fmt_block and its sibling). */
import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { containsFmtDirective, FMT_OFF, FMT_ON } from "../directives.ts";
import { commentsIn, type ProtoComment } from "../list-comments.ts";
import { textOfNodes } from "./node-text.ts";
import { coversLeaf } from "./skip-nodes.ts";

/** 1-based line numbers, both ends included. */
export type LineRange = readonly [number, number];

/** The directive that a block of kept code belongs to. */
export interface Directive {
  /** The leaf in whose prefix the comment stands. */
  readonly leaf: number;
  readonly comment: ProtoComment;
  /** Length of the leaf's prefix up to the comment before. */
  readonly previousConsumed: number;
  readonly isSkip: boolean;
}

/** Puts one comment leaf in the place of the nodes (`_handle_regular_fmt_block`). */
export function convertNodes(
  tree: Tree,
  nodes: readonly number[],
  directive: Directive,
  lines: readonly LineRange[],
): void {
  const { leaf, comment, previousConsumed, isSkip } = directive;
  const first = nodes[0]!;
  const parent = tree.parent[first]!;
  const prefix = tree.prefix(first);
  const isOff = containsFmtDirective(comment.value, FMT_OFF);
  if (isOff) tree.setPrefix(first, prefix.slice(comment.consumed));
  if (isSkip) tree.setPrefix(first, "");
  let blockPrefix = isSkip ? prefix : prefix.slice(0, previousConsumed) + "\n".repeat(comment.newlines);
  let text = textOfNodes(tree, nodes);
  if (isOff) {
    const line = tree.line[leaf]! - comment.newlines;
    const isOutside = lines.length > 0 && !lines.some(([from, to]) => from <= line && line <= to);
    if (isOutside) blockPrefix += indentationBefore(prefix, comment.value);
    text = `${comment.value}\n${text}`;
  }
  if (isSkip && !coversLeaf(tree, nodes, leaf)) text += comment.leadingWhitespace + comment.value;
  if (text.endsWith("\n")) text = text.slice(0, -1);
  const firstLeaf = tree.firstLeaf(first);
  const before = tree.prev[first]!;
  for (const node of nodes) tree.remove(node);
  const block = makeBlock(tree, text, blockPrefix);
  tree.insertBefore(parent, before === NONE ? tree.first[parent]! : tree.next[before]!, block);
  tree.keptCode.set(block, { firstLeaf, firstLine: tree.line[firstLeaf]! });
}

/**
 * A block between `# fmt: off` and `# fmt: on` that holds nothing but comments, all in the prefix of one leaf
 * (`_handle_comment_only_fmt_block`). False when there is none.
 */
export function convertComments(tree: Tree, leaf: number, previousConsumed: number): boolean {
  const prefix = tree.prefix(leaf);
  const pair = findPair(prefix);
  if (pair === undefined) return false;
  const { previous, off: comment, end } = pair;
  let text = `${comment.value}\n${prefix.slice(comment.consumed, end)}`;
  if (text.endsWith("\n")) text = text.slice(0, -1);
  const before = prefix.slice(0, previous?.consumed ?? previousConsumed);
  const blockPrefix =
    (previous === undefined ? before : withoutLeadingLineEnds(before)) +
    "\n".repeat(comment.newlines) +
    indentationBefore(prefix, comment.value);
  tree.setPrefix(leaf, prefix.slice(end));
  tree.insertBefore(tree.parent[leaf]!, leaf, makeBlock(tree, text, blockPrefix));
  return true;
}

/** The first `# fmt: off`, the comment before it, and where the `# fmt: on` behind it ends. */
function findPair(
  prefix: string,
): { previous: ProtoComment | undefined; off: ProtoComment; end: number } | undefined {
  let previous: ProtoComment | undefined;
  let off: ProtoComment | undefined;
  for (const comment of commentsIn(prefix, false)) {
    if (off === undefined) {
      if (containsFmtDirective(comment.value, FMT_OFF)) off = comment;
      else previous = comment;
    } else if (containsFmtDirective(comment.value, FMT_ON)) return { previous, off, end: comment.consumed };
  }
  return undefined;
}

/** What stands before the first occurrence of the comment on its line. */
function indentationBefore(prefix: string, comment: string): string {
  const before = prefix.split(comment, 1)[0]!;
  return before.slice(before.lastIndexOf("\n") + 1);
}

function withoutLeadingLineEnds(text: string): string {
  let start = 0;
  while (text[start] === "\n" || text[start] === "\r") start++;
  return text.slice(start);
}

function makeBlock(tree: Tree, text: string, prefix: string): number {
  return tree.makeLeaf(Kind.STANDALONE_COMMENT, text, prefix);
}
