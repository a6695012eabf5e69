import { leafWidth } from "../../lines/leaf-size.ts";
import { Line } from "../../lines/line.ts";
import type { Mode } from "../../mode/mode.ts";
import { Kind } from "../../syntax/kinds.ts";
import { isBracket, isEmptyLpar, isEmptyRpar } from "../../syntax/predicates/brackets.ts";
import { TextFlag } from "../../syntax/tree.ts";
import { INDENT_WIDTH } from "../short-enough.ts";
import type { BracketSplit } from "./bracket-split.ts";

/** Leaves from one name of a chained assignment to the next: the name, its invisible parentheses and `=`. */
const STEP = 4;

/**
 * The index before which a search for a split without the parentheses of `split` goes on. It would try one by one and
 * pass over names further left in a chained assignment (`a = b = c`), as long as the line up to them is too long. With
 * hundreds of names the search would otherwise take time with their number squared, once for each line of the result.
 */
export function passOverTargets(split: BracketSplit, line: Line, mode: Mode): number {
  let { close } = split;
  if (split.body.leaves.length !== 1 || line.comments !== undefined) return close;
  const { tree, leaves } = line;
  if (!isLoneName(line, close) || !isLoneName(line, close - STEP)) return close;
  // The shortest head that is too long ends here; one column is for the parenthesis that would be printed.
  const limit = endOfWidth(line, mode.lineLength - 1);
  if (close - 2 < limit) return close;
  while (close - STEP - 2 >= limit && isLoneName(line, close - 2 * STEP)) {
    close -= STEP;
    // What a line of the name alone would have noted.
    tree.depth[leaves[close - 1]!] = 0;
  }
  return close;
}

/** Names past the width of a line that decide where it is split. */
const NAMES_PAST_WIDTH = 4;

/**
 * The line without most of its names, where it is the tail of a chained assignment (`) = a = b = c`) with more names than
 * fit: it is split at the same brackets, since the search passes over all names past the width. `undefined` for others.
 */
export function withoutFarNames(line: Line, mode: Mode): Line | undefined {
  if (!line.isTail || line.hasString || line.comments !== undefined || line.containsStandaloneComments())
    return undefined;
  line.namesFrom ??= startOfNames(line);
  const { leaves, namesFrom } = line;
  const past = Math.max(0, endOfWidth(line, mode.lineLength) - namesFrom);
  const end = namesFrom + (Math.ceil(past / STEP) + NAMES_PAST_WIDTH) * STEP;
  return end < leaves.length ? Line.tail(line, leaves.slice(0, end)) : undefined;
}

/**
 * Index from which on the line is nothing but `= NAME`, and `= (` at its end if it was split there before: a search for
 * a split passes over that at once.
 */
function startOfNames(line: Line): number {
  const { tree, leaves } = line;
  let start = leaves.length;
  if (tree.kind[leaves[start - 1]!] === Kind.LPAR && tree.kind[leaves[start - 2]!] === Kind.EQUAL) start -= 2;
  while (isLoneName(line, start - 1)) start -= STEP;
  return start;
}

/** `namesFrom` of the tail that begins at `start`. */
export function namesInTail(namesFrom: number | undefined, start: number): number | undefined {
  if (namesFrom === undefined) return undefined;
  return namesFrom - start + STEP * Math.max(0, Math.ceil((start - namesFrom) / STEP));
}

/** Whether the leaf at `close` ends `= NAME` or the like, with invisible parentheses. */
function isLoneName({ tree, leaves }: Line, close: number): boolean {
  if (close < STEP - 1 || !isEmptyRpar(tree, leaves[close]!) || !isEmptyLpar(tree, leaves[close - 2]!))
    return false;
  const kind = tree.kind[leaves[close - 1]!]!;
  if (isBracket(kind) || kind === Kind.STANDALONE_COMMENT) return false;
  return tree.kind[leaves[close - 3]!] === Kind.EQUAL;
}

/** Index of the first leaf that goes past the width; none where a line break comes first. */
function endOfWidth({ tree, leaves, depth }: Line, width: number): number {
  let left = width - INDENT_WIDTH * depth;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    if ((tree.textFlags[leaf]! & TextFlag.MULTILINE) !== 0) break;
    left -= leafWidth(tree, leaf);
    if (left < 0) return i;
  }
  return leaves.length;
}
