import type { Line } from "../../lines/line.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { isBracket } from "../../syntax/predicates/brackets.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { NONE } from "../../syntax/tree.ts";
import { isLineShortEnough } from "../short-enough.ts";
import type { BracketSplit } from "../splits/bracket-split.ts";

/**
 * Whether `without`, a split that leaves the optional parentheses out, is to be preferred to `split`, which is at
 * them (Black: _prefer_split_rhs_oop_over_rhs).
 */
export function prefersSplitOmittingParens(without: BracketSplit, split: BracketSplit, mode: Mode): boolean {
  const { line } = split;
  const { tree } = line;
  if (
    line.comments !== undefined &&
    (without.head.containsUnsplittableTypeIgnore() ||
      without.body.containsUnsplittableTypeIgnore() ||
      without.tail.containsUnsplittableTypeIgnore())
  ) {
    return true;
  }
  if (
    hasPreview(mode, Preview.wrap_long_dict_values_in_parens) &&
    parentKind(tree, tree.parent[split.openingBracket]!) === Kind.dictsetmaker &&
    split.body.tracker.delimiterLeaves.length > 0
  ) {
    // Dictionary values keep their parentheses unless the split is inside the key.
    return without.tail.indexOfKind(Kind.COLON) !== -1;
  }
  // From here on it is about assignments only.
  if (split.leafBefore === NONE || tree.kind[split.leafBefore] !== Kind.EQUAL) return true;
  if (!hasBracket(line, split.start - 1)) return true;
  // One column is for the parenthesis that would be printed.
  if (!split.isHeadShortEnough(mode.lineLength - 1)) return true;
  const { head } = split;
  if (head.magicTrailingComma !== NONE) return true;
  // Of several targets as many as possible stay on the first line.
  const targets = head.countOfKind(Kind.EQUAL);
  if (targets > 1 && targets > without.head.countOfKind(Kind.EQUAL)) return false;
  if (closesBracketAfterAssign(without.head)) return true;
  return without.head.indexOfKind(Kind.EQUAL) !== -1 && isLineShortEnough(without.head, mode.lineLength);
}

/** Whether a bracket is among the first `end` leaves. */
function hasBracket(line: Line, end: number): boolean {
  for (let i = 0; i < end; i++) {
    if (isBracket(line.tree.kind[line.leaves[i]!]!)) return true;
  }
  return false;
}

/** Whether a bracket pair is complete after the last `=` of the line. */
function closesBracketAfterAssign(line: Line): boolean {
  for (let i = line.leaves.length - 1; i >= 0; i--) {
    const kind = line.tree.kind[line.leaves[i]!]!;
    if (kind === Kind.EQUAL) return false;
    if (isClosingBracket(kind)) return true;
  }
  return false;
}
