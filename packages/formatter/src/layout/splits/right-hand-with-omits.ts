import { leafCodePoints } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { isClosingBracket } from "../../syntax/kinds.ts";
import { NONE } from "../../syntax/tree.ts";
import { exceedsOnlyByBracketComment, exceedsOnlyBySubscriptComment } from "../omit/bracket-comment.ts";
import { trailersToOmit } from "../omit/trailers.ts";
import { INDENT_WIDTH, isLineShortEnough } from "../short-enough.ts";
import { type Omit, omitNothing } from "./first-right-hand.ts";
import { rightHandSplit } from "./right-hand.ts";

/**
 * Right-hand splits that pass over more and more trailers, gluing them together, until the first line fits;
 * otherwise the one that passes over none (Black: right_hand_split_with_omits).
 */
export function rightHandSplitWithOmits(line: Line, features: number, mode: Mode): Line[] | undefined {
  let fallback: Omit | undefined;
  let firstLines: Line[] | undefined;
  const before = lengthsBefore(line);
  for (const omit of trailersToOmit(line, mode.lineLength)) {
    if (omit.size > 0 && headMustExceed(line, omit, before, mode.lineLength)) continue;
    const lines = rightHandSplit(line, mode, features, omit);
    if (lines === undefined) return undefined;
    if (firstLines === undefined && omit.size === 0) firstLines = lines;
    if (!isFirstLineFine(lines[0]!, omit, mode)) continue;
    if (
      hasPreview(mode, Preview.fix_magic_trailing_comma_trailer_split) &&
      line.magicTrailingComma !== NONE &&
      lines[0]!.magicTrailingComma !== NONE
    ) {
      // The first line will be split at its magic trailing comma anyway: prefer a split at those brackets.
      fallback ??= new Set(omit);
      continue;
    }
    return lines;
  }
  if (fallback !== undefined) return rightHandSplit(line, mode, features, fallback);
  return firstLines ?? rightHandSplit(line, mode, features, omitNothing);
}

/** Kept for the next line. */
let lengths = new Int32Array(256);

/** Code points of the line before each of its leaves; the answer holds until the next call. */
function lengthsBefore(line: Line): Int32Array {
  const { tree, leaves } = line;
  if (lengths.length < leaves.length) lengths = new Int32Array(2 * leaves.length);
  let length = INDENT_WIDTH * line.depth;
  for (let i = 0; i < leaves.length; i++) {
    lengths[i] = length;
    length += leafCodePoints(tree, leaves[i]!);
  }
  return lengths;
}

/** Whether the bracket that the split would be at is itself past the limit. */
function headMustExceed(line: Line, omit: Omit, before: Int32Array, lineLength: number): boolean {
  const { tree, leaves } = line;
  let close = leaves.length - 1;
  while (close >= 0 && (!isClosingBracket(tree.kind[leaves[close]!]!) || omit.has(leaves[close]!))) close--;
  if (close < 0) return false;
  const opening = tree.mate[leaves[close]!]!;
  if (opening === NONE || tree.textLength(opening) === 0) return false;
  let open = close - 1;
  while (open >= 0 && leaves[open] !== opening) open--;
  return open >= 0 && before[open]! > lineLength;
}

function isFirstLineFine(first: Line, omit: Omit, mode: Mode): boolean {
  if (isLineShortEnough(first, mode.lineLength)) return true;
  if (omit.size === 0) return false;
  return hasPreview(mode, Preview.keep_trailers_on_bracket_comment_overflow)
    ? exceedsOnlyByBracketComment(first, mode.lineLength)
    : exceedsOnlyBySubscriptComment(first, mode.lineLength);
}
