import { Priority } from "../../lines/delimiters.ts";
import type { Line } from "../../lines/line.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { isLineShortEnough } from "../short-enough.ts";
import { firstRightHandSplit } from "./first-right-hand.ts";

/** Whether a standalone comment comes before the first delimiter: it is to be split off first (Black: within delimiter_split, preview). */
export function hasCommentBeforeDelimiter(line: Line, priority: number, mode: Mode): boolean {
  if (!hasPreview(mode, Preview.keep_commented_expressions_together) || priority === Priority.COMMA)
    return false;
  const comment = line.indexOfKind(Kind.STANDALONE_COMMENT);
  if (comment === -1) return false;
  const first = line.tracker.delimiterLeaves[line.tracker.delimiterPriorities.indexOf(priority)]!;
  return comment < line.leaves.indexOf(first);
}

/**
 * Whether the delimiters are left alone because a split at brackets to their right does better: one comparison
 * without brackets on its left, or operators within a dictionary key (Black: within delimiter_split, preview).
 */
export function defersToRightHandSplit(line: Line, priority: number, mode: Mode): boolean {
  const loneComparator =
    hasPreview(mode, Preview.hug_comparator) &&
    priority === Priority.COMPARATOR &&
    line.tracker.delimiterCountWithPriority(priority) === 1;
  const dictionaryKeys = hasPreview(mode, Preview.keep_dict_keys_with_operators);
  if (!loneComparator && !dictionaryKeys) return false;
  const split = firstRightHandSplit(line);
  if (split === undefined) return false;
  if (loneComparator && !hasBracketBeforeComparator(line) && isLineShortEnough(split.head, mode.lineLength)) {
    return true;
  }
  return dictionaryKeys && onlyKeyHasDelimiters(line) && isLineShortEnough(split.head, mode.lineLength);
}

/** Black: _can_defer_lone_comparator_to_rhs. */
function hasBracketBeforeComparator(line: Line): boolean {
  const { tree, leaves, tracker } = line;
  const comparator = tracker.delimiterLeaves[tracker.delimiterPriorities.indexOf(Priority.COMPARATOR)];
  for (const leaf of leaves) {
    if (isOpeningBracket(tree.kind[leaf]!)) return true;
    if (leaf === comparator) return false;
  }
  return false;
}

/** Black: _can_defer_dict_key_delimiter_to_rhs. */
function onlyKeyHasDelimiters(line: Line): boolean {
  const { tree, leaves, tracker } = line;
  let colon = -1;
  for (let i = 0; i < leaves.length && colon === -1; i++) {
    const leaf = leaves[i]!;
    if (tree.kind[leaf] !== Kind.COLON || tree.depth[leaf] !== 0) continue;
    if (parentKind(tree, leaf) === Kind.dictsetmaker) colon = i;
  }
  if (colon === -1) return false;
  for (let i = 0; i < colon; i++) if (tree.kind[leaves[i]!] === Kind.RBRACE) return false;
  const priority = tracker.maxDelimiterPriority(leaves[leaves.length - 1]!);
  if (priority === 0 || priority >= Priority.LOGIC) return false;
  const last = tracker.delimiterPriorities.lastIndexOf(priority);
  return leaves.indexOf(tracker.delimiterLeaves[last]!) < colon;
}
