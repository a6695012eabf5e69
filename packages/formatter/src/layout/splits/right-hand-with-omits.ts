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
  const tooFar = firstPast(line, mode.lineLength);
  // Without optional parentheses no attempt changes what the others see.
  if (line.hasTrackedHead && allHeadsMustExceed(line, tooFar, mode.lineLength))
    return rightHandSplit(line, mode, features, omitNothing, true);
  for (const omit of trailersToOmit(line, mode.lineLength)) {
    if (omit.size > 0 && headMustExceed(line, omit, tooFar)) continue;
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

/** Index of the first leaf that has more code points before it than a line may have. */
function firstPast(line: Line, lineLength: number): number {
  const { tree, leaves } = line;
  let length = INDENT_WIDTH * line.depth;
  let at = 0;
  while (at < leaves.length && length <= lineLength) length += leafCodePoints(tree, leaves[at++]!);
  return length > lineLength ? at : leaves.length;
}

/** Whether passing over trailers never makes the first line fit, so that the split that passes over none is the one. */
function allHeadsMustExceed(line: Line, tooFar: number, lineLength: number): boolean {
  for (const omit of trailersToOmit(line, lineLength))
    if (omit.size > 0 && !headMustExceed(line, omit, tooFar)) return false;
  return true;
}

/** Whether the bracket that the split would be at is itself past the limit. */
function headMustExceed(line: Line, omit: Omit, tooFar: number): boolean {
  const { tree, leaves } = line;
  let close = leaves.length - 1;
  while (close >= 0 && (!isClosingBracket(tree.kind[leaves[close]!]!) || omit.has(leaves[close]!))) close--;
  if (close < 0) return false;
  const opening = tree.mate[leaves[close]!]!;
  if (opening === NONE || tree.textLength(opening) === 0) return false;
  let open = close - 1;
  while (open >= 0 && leaves[open] !== opening) open--;
  return open >= 0 && open >= tooFar;
}

function isFirstLineFine(first: Line, omit: Omit, mode: Mode): boolean {
  if (isLineShortEnough(first, mode.lineLength)) return true;
  if (omit.size === 0) return false;
  return hasPreview(mode, Preview.keep_trailers_on_bracket_comment_overflow)
    ? exceedsOnlyByBracketComment(first, mode.lineLength)
    : exceedsOnlyBySubscriptComment(first, mode.lineLength);
}
