import { leafCodePoints } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { Feature } from "../../mode/target-version.ts";
import { isClosingBracket } from "../../syntax/kinds.ts";
import { NONE } from "../../syntax/tree.ts";
import { exceedsOnlyByBracketComment, exceedsOnlyBySubscriptComment } from "../omit/bracket-comment.ts";
import { trailersToOmit } from "../omit/trailers.ts";
import { INDENT_WIDTH, isLineShortEnough, isStartTooLong } from "../short-enough.ts";
import { BracketSplit } from "./bracket-split.ts";
import { namesInTail, withoutFarNames } from "./chained-targets.ts";
import { type Omit, omitNothing, RightHandSplits } from "./first-right-hand.ts";
import { rightHandSplit } from "./right-hand.ts";

/**
 * Right-hand splits that pass over more and more trailers, gluing them together, until the first line fits;
 * otherwise the one that passes over none (Black: right_hand_split_with_omits).
 */
export function rightHandSplitWithOmits(line: Line, features: number, mode: Mode): Line[] | undefined {
  const splits = new RightHandSplits(line);
  const tooFar = firstPast(line, mode.lineLength);
  // A split at brackets that are printed changes nothing that the other attempts see.
  if (
    line.hasTrackedHead &&
    endsInPrintedBrackets(line) &&
    allHeadsMustExceed(line, tooFar, mode.lineLength)
  ) {
    const split = rightHandSplit(splits, mode, features, omitNothing);
    if (split !== undefined) splits.giveHead(split);
    return split?.lines();
  }
  const split = searchNearNames(line, mode, features) ?? searchForSplit(splits, tooFar, mode, features);
  if (split?.hasSteadyTail) split.giveTail();
  else if (split !== undefined) splits.giveHead(split);
  return split?.lines();
}

/** The split of a chain of assignments to names, found among those near the width of a line. */
function searchNearNames(line: Line, mode: Mode, features: number): BracketSplit | undefined {
  if ((features & Feature.FORCE_OPTIONAL_PARENTHESES) !== 0) return undefined;
  const near = withoutFarNames(line, mode);
  if (near === undefined) return undefined;
  const found = searchForSplit(new RightHandSplits(near), firstPast(near, mode.lineLength), mode, features);
  if (found === undefined || found.isHugged) return undefined;
  const { body, start, close } = found;
  const split = new BracketSplit(line, body, start - 1, close, start, close);
  split.namesInTail = namesInTail(line.namesFrom, close);
  return split;
}

function searchForSplit(
  splits: RightHandSplits,
  tooFar: number,
  mode: Mode,
  features: number,
): BracketSplit | undefined {
  const { line } = splits;
  const heads = new HeadsPast(line, tooFar);
  let fallback: Omit | undefined;
  let first: BracketSplit | undefined;
  for (const omit of trailersToOmit(line, mode.lineLength)) {
    if (omit.size > 0 && heads.mustExceed(omit)) continue;
    const split = rightHandSplit(splits, mode, features, omit);
    if (split === undefined) return undefined;
    if (omit.size === 0) first ??= split;
    if (!isFirstLineFine(split, omit, mode)) continue;
    if (
      hasPreview(mode, Preview.fix_magic_trailing_comma_trailer_split) &&
      line.magicTrailingComma !== NONE &&
      split.head.magicTrailingComma !== NONE
    ) {
      // The first line will be split at its magic trailing comma anyway: prefer a split at those brackets.
      fallback ??= new Set(omit);
      continue;
    }
    return split;
  }
  if (fallback !== undefined) return rightHandSplit(splits, mode, features, fallback);
  return first ?? rightHandSplit(splits, mode, features, omitNothing);
}

/** Index of the first leaf before which there are more characters than a line may have columns, line breaks included. */
function firstPast(line: Line, lineLength: number): number {
  const { tree, leaves } = line;
  let length = INDENT_WIDTH * line.depth;
  for (let at = 0; at < leaves.length; at++) {
    if (length > lineLength) return at;
    length += leafCodePoints(tree, leaves[at]!);
  }
  return leaves.length;
}

/** Whether the last bracket pair with content has text. */
function endsInPrintedBrackets({ tree, leaves }: Line): boolean {
  let close = leaves.length - 1;
  while (
    close > 0 &&
    (!isClosingBracket(tree.kind[leaves[close]!]!) || tree.mate[leaves[close]!] === leaves[close - 1])
  )
    close--;
  return close > 0 && tree.textLength(leaves[close]!) > 0;
}

/** Whether passing over trailers never makes the first line fit, so that the split that passes over none is the one. */
function allHeadsMustExceed(line: Line, tooFar: number, lineLength: number): boolean {
  const heads = new HeadsPast(line, tooFar);
  for (const omit of trailersToOmit(line, lineLength))
    if (omit.size > 0 && !heads.mustExceed(omit)) return false;
  return true;
}

/** Tells for brackets to pass over, of which each set holds the one before, whether the bracket to split at is past the limit. */
class HeadsPast {
  readonly #line: Line;
  readonly #tooFar: number;
  /** Index of the bracket that was last not passed over: those behind it are not looked at again. */
  #close: number;

  constructor(line: Line, tooFar: number) {
    this.#line = line;
    this.#tooFar = tooFar;
    this.#close = line.leaves.length - 1;
  }

  mustExceed(omit: Omit): boolean {
    const { tree, leaves } = this.#line;
    let close = this.#close;
    while (
      close > this.#tooFar &&
      (!isClosingBracket(tree.kind[leaves[close]!]!) || omit.has(leaves[close]!))
    )
      close--;
    this.#close = close;
    if (close <= this.#tooFar) return false;
    const opening = tree.mate[leaves[close]!]!;
    if (opening === NONE || tree.textLength(opening) === 0) return false;
    for (let open = close - 1; open >= this.#tooFar; open--) if (leaves[open] === opening) return true;
    return false;
  }
}

function isFirstLineFine(split: BracketSplit, omit: Omit, mode: Mode): boolean {
  if (isStartTooLong(split.line, split.start, mode.lineLength)) return false;
  const first = split.head;
  if (isLineShortEnough(first, mode.lineLength)) return true;
  if (omit.size === 0) return false;
  return hasPreview(mode, Preview.keep_trailers_on_bracket_comment_overflow)
    ? exceedsOnlyByBracketComment(first, mode.lineLength)
    : exceedsOnlyBySubscriptComment(first, mode.lineLength);
}
