import { appendLeaves } from "../lines/append-leaves.ts";
import { renderedLength } from "../lines/line/render.ts";
import type { Line } from "../lines/line.ts";
import type { Split } from "../lines/split.ts";
import { hasPreview, type Mode } from "../mode/mode.ts";
import { Preview } from "../mode/preview.ts";
import { Feature } from "../mode/target-version.ts";
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { hugPowerOperators } from "./hug-power.ts";
import { exceedsOnlyBySubscriptComment } from "./omit/bracket-comment.ts";
import { isLineShortEnough } from "./short-enough.ts";
import { rightHandSplitWithOmits } from "./splits/right-hand-with-omits.ts";
import { forceStandaloneCommentSplit } from "./splits/standalone-comment.ts";
import { splitsFor } from "./splits-for.ts";

/**
 * The line, broken into as many as needed; where it cannot be broken it comes back as it is, even if it is too
 * long (Black: transform_line). `features` are bits of `Feature` that the output may use.
 */
export function transformLine(line: Line, mode: Mode, features: number): Line[] {
  const result: Line[] = [];
  transformInto(line, mode, features, result);
  return result;
}

/** `transformLine` with the lines added to `result`. */
function transformInto(line: Line, mode: Mode, features: number, result: Line[]): void {
  if (line.isComment()) {
    result.push(line);
    return;
  }
  const hugged = hasPreview(mode, Preview.simplify_power_operator_hugging)
    ? undefined
    : hugPowerOperators(line);
  const splits = splitsFor(line, mode, needsNoSplit(line, mode, hugged));
  if (splits.length > 0 || hugged !== undefined) {
    const text = mayComeOutTheSame(line, mode, hugged) ? line.renderBare() : undefined;
    for (const split of splits) {
      if (runSplit(line, split, mode, features, text, result)) return;
    }
    if (hugged !== undefined && runSplit(line, hugPowerSplit, mode, features, text, result)) return;
  }
  if (!line.containsStandaloneComments()) {
    result.push(line);
    return;
  }
  for (const part of forceStandaloneCommentSplit(line)) result.push(part);
}

/**
 * Whether a split may make a line of other leaves that prints the same text. Splits at brackets and delimiters cannot:
 * their lines are parts of this one, and what stands in the others is not empty.
 */
function mayComeOutTheSame(line: Line, mode: Mode, hugged: Line | undefined): boolean {
  return mode.preview !== 0 || hugged !== undefined || line.comments !== undefined;
}

function hugPowerSplit(line: Line): Line[] | undefined {
  const hugged = hugPowerOperators(line);
  return hugged && [hugged];
}

/** Whether the line is fine as it stands. */
function needsNoSplit(line: Line, mode: Mode, hugged: Line | undefined): boolean {
  return (
    !line.shouldSplitRhs &&
    line.magicTrailingComma === NONE &&
    !line.containsUncollapsableTypeComments() &&
    (isLineShortEnough(line, mode.lineLength, hugged) || line.containsUnsplittableTypeIgnore()) &&
    !(line.insideBrackets && line.containsStandaloneComments()) &&
    !line.containsImplicitMultilineStringWithComments()
  );
}

/**
 * Runs one split and transforms what it returns; adds the lines to `result` and returns true, or returns false
 * where the split doesn't apply or changes nothing. A right-hand split whose first line is still too long gets a
 * second opinion with all optional parentheses printed (Black: run_transformer). `text` is the line's own text, where
 * that is needed to tell what changes nothing.
 */
function runSplit(
  line: Line,
  split: Split,
  mode: Mode,
  features: number,
  text: string | undefined,
  result: Line[],
): boolean {
  const tree = line.tree;
  // Read before the split, which may make them visible and change their depth.
  const optional = split === rightHandSplitWithOmits ? optionalParentheses(line) : undefined;
  const parts = split(line, features, mode);
  if (parts === undefined) return false;
  // Lines go where they belong at once, or each level of nesting would copy all those below it.
  const start = result.length;
  for (const part of parts) {
    if (part === undefined || isUnchanged(part, line, text)) {
      result.length = start;
      return false;
    }
    transformInto(part, mode, features, result);
  }
  if (
    optional !== undefined &&
    (features & Feature.FORCE_OPTIONAL_PARENTHESES) === 0 &&
    !optional.some((bracket) => tree.textLength(bracket) > 0) &&
    needsSecondOpinion(line, result[start]!, mode)
  ) {
    return runSecondOpinion(line, mode, features, text, result, start);
  }
  return true;
}

/** The parentheses outside brackets that are not printed. */
function optionalParentheses(line: Line): number[] | undefined {
  if (line.tracker.invisible.length === 0) return undefined;
  const depths = line.tree.depth;
  return line.tracker.invisible.filter((bracket) => depths[bracket] === 0);
}

/** Whether the part prints the same text as the line it comes from. */
function isUnchanged(part: Line, line: Line, text: string | undefined): boolean {
  if (text === undefined) return part.leaves.length === line.leaves.length && hasSameLeaves(part, line);
  return renderedLength(part) === text.length && part.renderBare() === text;
}

function hasSameLeaves(part: Line, line: Line): boolean {
  if (part.depth !== line.depth) return false;
  for (let i = 0; i < line.leaves.length; i++) if (part.leaves[i] !== line.leaves[i]) return false;
  return true;
}

function needsSecondOpinion(line: Line, first: Line, mode: Mode): boolean {
  const tree = line.tree;
  if (
    isLineShortEnough(first, mode.lineLength) ||
    line.containsMultilineStrings() ||
    first.containsUncollapsableTypeComments() ||
    first.containsUnsplittableTypeIgnore() ||
    exceedsOnlyBySubscriptComment(first, mode.lineLength)
  ) {
    return false;
  }
  // Leaves that an attempt further in has replaced are not part of the tree any more.
  const skipsComments = hasPreview(mode, Preview.parenthesize_expressions_with_comments);
  for (const leaf of line.leaves) {
    if (tree.parent[leaf] !== NONE) continue;
    if (!skipsComments || tree.kind[leaf] !== Kind.STANDALONE_COMMENT) return false;
  }
  return true;
}

/**
 * Puts the lines of a split with optional parentheses printed in the place of those in `result` from `start` on, the
 * first opinion, if all of them fit. False where the second split doesn't apply.
 */
function runSecondOpinion(
  line: Line,
  mode: Mode,
  features: number,
  text: string | undefined,
  result: Line[],
  start: number,
): boolean {
  const copy = line.clone();
  appendLeaves(copy, line, line.leaves);
  const lines: Line[] = [];
  const forced = features | Feature.FORCE_OPTIONAL_PARENTHESES;
  if (!runSplit(copy, rightHandSplitWithOmits, mode, forced, text, lines)) {
    result.length = start;
    return false;
  }
  const skipsComments = hasPreview(mode, Preview.parenthesize_expressions_with_comments);
  const allFit = lines.every(
    (made) => (skipsComments && made.isComment()) || isLineShortEnough(made, mode.lineLength),
  );
  if (!allFit) return true;
  result.length = start;
  for (const made of lines) result.push(made);
  return true;
}
