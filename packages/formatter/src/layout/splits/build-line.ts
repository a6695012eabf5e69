import { Priority } from "../../lines/delimiters.ts";
import { Line } from "../../lines/line.ts";
import { leavesInsideMatchingBrackets } from "../../lines/matching-brackets.ts";
import { Kind } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { needsTrailingComma } from "./trailing-comma.ts";

/** The first `end` leaves, up to and including the opening bracket of a split; complete bracket pairs are tracked. */
export function buildHead(leaves: readonly number[], end: number, original: Line): Line {
  const head = Line.head(original);
  head.returnComma = original.returnComma;
  const tracked = leavesInsideMatchingBrackets(original.tree, leaves, end);
  for (let i = 0; i < end; i++) appendWithComments(head, leaves[i]!, original, tracked[i] === 1);
  return head;
}

/** The leaves from `start`, the closing bracket of a split, on. */
export function buildTail(leaves: readonly number[], start: number, original: Line): Line {
  if (original.comments === undefined && !original.containsStandaloneComments())
    return Line.tail(original, leaves.slice(start));
  const tail = new Line(original.tree, original.mode, original.depth);
  for (let i = start; i < leaves.length; i++) appendWithComments(tail, leaves[i]!, original, false);
  return tail;
}

/**
 * The leaves from `start` up to `end`, the content of a bracket pair, one level deeper, with a trailing comma where
 * imports and parameters get one (Black: bracket_split_build_line).
 */
export function buildBody(
  leaves: readonly number[],
  start: number,
  end: number,
  original: Line,
  openingBracket: number,
): Line {
  const tree = original.tree;
  const body = new Line(tree, original.mode, original.depth + 1, true);
  const lastBeforeComma = needsTrailingComma(leaves, start, end, original, openingBracket)
    ? lastWithoutComma(tree, leaves, start, end)
    : -1;
  for (let i = start; i < end; i++) {
    appendWithComments(body, leaves[i]!, original, false);
    if (i === lastBeforeComma) body.append(tree.makeLeaf(Kind.COMMA, ","), true);
  }
  if (shouldSplitLine(body, openingBracket)) body.shouldSplitRhs = true;
  return body;
}

function appendWithComments(line: Line, leaf: number, original: Line, trackBracket: boolean): void {
  line.append(leaf, true, trackBracket);
  if (original.comments === undefined) return;
  for (const comment of original.commentsAfter(leaf)) line.append(comment, true);
}

/** Index of the last leaf that isn't a comment; -1 when that is a comma already. */
function lastWithoutComma(tree: Tree, leaves: readonly number[], start: number, end: number): number {
  for (let i = end - 1; i >= start; i--) {
    const kind = tree.kind[leaves[i]!];
    if (kind !== Kind.STANDALONE_COMMENT) return kind === Kind.COMMA ? -1 : i;
  }
  return -1;
}

/** Whether the body is a list of several elements to be put on a line each at once (Black: should_split_line). */
function shouldSplitLine(body: Line, openingBracket: number): boolean {
  const { tree, leaves } = body;
  const parent = tree.parent[openingBracket]!;
  if (parent === NONE || leaves.length === 0) return false;
  const last = leaves[leaves.length - 1]!;
  const trailingComma = tree.kind[last] === Kind.COMMA;
  if (body.tracker.maxDelimiterPriority(trailingComma ? last : NONE) !== Priority.COMMA) return false;
  if (trailingComma && body.mode.magicTrailingComma) return true;
  const parentKind = tree.kind[parent];
  return parentKind === Kind.atom || parentKind === Kind.import_from;
}
