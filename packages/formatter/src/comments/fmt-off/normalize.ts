/** `# fmt: off`, `on` and `skip` (`comments.py` normalize_fmt_off, convert_one_fmt_off_pair). */
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { isWhitespaceKind } from "../../syntax/predicates/statements.ts";
import { NONE, PrefixFlag, type Tree } from "../../syntax/tree.ts";
import { containsFmtDirective, FMT_OFF, FMT_SKIP } from "../directives.ts";
import { commentsIn, type ProtoComment } from "../list-comments.ts";
import { convertComments, convertNodes, type LineRange } from "./convert.ts";
import { nodesAfterFmtOff } from "./off-nodes.ts";
import { nodesBeforeFmtSkip } from "./skip-nodes.ts";
import { isBelow, putStringsTogether, takeStringsApart } from "./string-parts.ts";

/**
 * Turns code that directives keep as it is into STANDALONE_COMMENT leaves. Only sources for which `mayHoldDirective` is
 * true need it.
 *
 * @param lines the lines to format when not all are; an indentation outside of them is kept
 */
export function normalizeFormatOff(tree: Tree, root: number, lines: readonly LineRange[] = []): void {
  const apart = takeStringsApart(tree, root);
  const leaves = tree.leaves(root);
  let i = 0;
  while (i < leaves.length) {
    const leaf = leaves[i]!;
    const hasComment = (tree.prefixFlags[leaf]! & PrefixFlag.COMMENT) !== 0;
    const isCandidate = hasComment && tree.kind[leaf] !== Kind.STANDALONE_COMMENT;
    if (!isCandidate || !isBelow(tree, leaf, root) || !convertFirst(tree, leaf, lines)) i++;
  }
  putStringsTogether(tree, root, apart);
}

/** Converts what the first directive with an effect in the leaf's prefix covers; false if there is none. */
function convertFirst(tree: Tree, leaf: number, lines: readonly LineRange[]): boolean {
  let previousConsumed = 0;
  for (const comment of commentsIn(tree.prefix(leaf), false)) {
    const isOff = containsFmtDirective(comment.value, FMT_OFF);
    const isSkip = containsFmtDirective(comment.value, FMT_SKIP);
    if (!isDirective(tree, leaf, comment, isOff, isSkip)) {
      previousConsumed = comment.consumed;
      continue;
    }
    const nodes = isSkip ? nodesBeforeFmtSkip(tree, leaf, comment) : nodesAfterFmtOff(tree, leaf);
    if (nodes.length > 0) {
      convertNodes(tree, nodes, { leaf, comment, previousConsumed, isSkip }, lines);
      return true;
    }
    if (isOff && convertComments(tree, leaf, previousConsumed)) return true;
  }
  return false;
}

/** `_should_process_fmt_comment` and `_is_valid_standalone_fmt_comment`. */
function isDirective(
  tree: Tree,
  leaf: number,
  comment: ProtoComment,
  isOff: boolean,
  isSkip: boolean,
): boolean {
  if (!isOff && !isSkip) return false;
  if (isOff && isClosingBracket(tree.kind[leaf]!)) return false;
  if (comment.kind === Kind.STANDALONE_COMMENT) return true;
  const before = tree.prevLeaf(leaf);
  if (before === NONE) return true;
  const kind = tree.kind[before]!;
  if (isOff && !isWhitespaceKind(kind) && kind !== Kind.STANDALONE_COMMENT) return false;
  return !(isSkip && isWhitespaceKind(kind));
}
