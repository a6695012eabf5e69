import { appendLeaves } from "../lines/append-leaves.ts";
import type { DwindlingList } from "../lines/dwindling-list.ts";
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
import { INDENT_WIDTH, isLineShortEnough } from "./short-enough.ts";
import { rightHandSplitWithOmits } from "./splits/right-hand-with-omits.ts";
import { forceStandaloneCommentSplit } from "./splits/standalone-comment.ts";
import { splitsFor } from "./splits-for.ts";

/**
 * The line, broken into as many as needed; where it cannot be broken it comes back as it is, even if it is too
 * long (Black: transform_line). `features` are bits of `Feature` that the output may use.
 */
export function transformLine(line: Line, mode: Mode, features: number): Line[] {
  const result: Line[] = [];
  if (line.isComment()) result.push(line);
  else transformAll(new Transformation(line, mode, features, true), result);
  return result;
}

/** How far the splits of one line have been tried. */
class Transformation {
  readonly line: Line;
  readonly mode: Mode;
  readonly features: number;
  /** Whether the line itself is the outcome where no split applies. */
  readonly keepsLine: boolean;
  splits: readonly Split[];
  /** The line's own text, where that is needed to tell what changes nothing. */
  text: string | undefined = undefined;
  /** Of the split that is being tried. */
  split = 0;
  parts: Iterator<Line | undefined> | undefined = undefined;
  /** Leaves of the line before the split, which may take them. */
  length = 0;
  /** Where the lines of the parts begin in the result. */
  start = 0;
  /** Optional parentheses of the line before the split, if there are any. */
  optional: OptionalParentheses | undefined = undefined;

  constructor(line: Line, mode: Mode, features: number, keepsLine: boolean, only?: Split, text?: string) {
    this.line = line;
    this.mode = mode;
    this.features = features;
    this.keepsLine = keepsLine;
    if (only !== undefined) {
      this.splits = [only];
      this.text = text;
      return;
    }
    const hugged = hasPreview(mode, Preview.simplify_power_operator_hugging)
      ? undefined
      : hugPowerOperators(line);
    const splits = splitsFor(line, mode, needsNoSplit(line, mode, hugged));
    this.splits = hugged === undefined ? splits : [...splits, hugPowerSplit];
    if (this.splits.length > 0 && mayComeOutTheSame(line, mode, hugged)) this.text = line.renderBare();
  }
}

/**
 * Works a transformation off, and those of the lines that its splits make. The ones that wait are in a list rather
 * than on the call stack: a chain of a thousand calls is split a thousand times, one within the other. False where no
 * split applies to a line that is not to be kept.
 */
function transformAll(root: Transformation, result: Line[]): boolean {
  const open = [root];
  let applied = true;
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    if (current.parts === undefined && !beginSplit(current, result)) {
      applied = current.keepsLine;
      if (applied) keepLine(current.line, result);
      open.pop();
      continue;
    }
    const { value: part, done } = current.parts!.next();
    if (done === true) {
      if (endSplit(current, result)) open.pop();
      else rejectSplit(current, result);
    } else if (part === undefined || isUnchanged(part, current)) {
      rejectSplit(current, result);
    } else if (part.isComment()) {
      result.push(part);
    } else {
      open.push(new Transformation(part, current.mode, current.features, true));
    }
  }
  return applied;
}

/** Runs the next split that applies; false when there is none. */
function beginSplit(current: Transformation, result: Line[]): boolean {
  for (; current.split < current.splits.length; current.split++) {
    const split = current.splits[current.split]!;
    current.optional = split === rightHandSplitWithOmits ? optionalParentheses(current.line) : undefined;
    current.length = current.line.leaves.length;
    const parts = split(current.line, current.features, current.mode);
    if (parts === undefined) continue;
    current.parts = parts[Symbol.iterator]();
    // Lines go where they belong at once, or each level of nesting would copy all those below it.
    current.start = result.length;
    return true;
  }
  return false;
}

function rejectSplit(current: Transformation, result: Line[]): void {
  result.length = current.start;
  current.parts = undefined;
  current.split++;
}

function keepLine(line: Line, result: Line[]): void {
  if (!line.containsStandaloneComments()) result.push(line);
  else for (const part of forceStandaloneCommentSplit(line)) result.push(part);
}

/**
 * Whether a split may make a line of other leaves that prints the same text. Splits at brackets and delimiters cannot:
 * their lines are parts of this one, and what stands in the others is not empty.
 */
function mayComeOutTheSame(line: Line, mode: Mode, hugged: Line | undefined): boolean {
  if (hugged !== undefined || line.comments !== undefined) return true;
  if (mode.preview === 0) return false;
  if (line.containsStandaloneComments()) return true;
  return line.hasString && !line.hasSettledStrings && hasPreview(mode, Preview.string_processing);
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
 * The end of a split whose parts have been transformed. A right-hand split whose first line is still too long gets a
 * second opinion with all optional parentheses printed (Black: run_transformer); false where that doesn't apply.
 */
function endSplit({ line, mode, features, text, optional, start }: Transformation, result: Line[]): boolean {
  if (
    optional !== undefined &&
    (features & Feature.FORCE_OPTIONAL_PARENTHESES) === 0 &&
    mayNeedSecondOpinion(result[start]!, mode) &&
    !isAnyPrinted(line, optional) &&
    needsSecondOpinion(line, result[start]!, mode)
  ) {
    return runSecondOpinion(line, mode, features, text, result, start);
  }
  return true;
}

/** Parentheses outside brackets at the time at which a line is split. */
interface OptionalParentheses {
  /** Printed since the line was made. */
  readonly printed: readonly number[];
  /** Without text. */
  readonly anyInvisible: ReturnType<DwindlingList["anyOfThese"]>;
}

/** Read before the split, which may make them visible and change their depth. */
function optionalParentheses({ tree, tracker }: Line): OptionalParentheses | undefined {
  if (!tracker.hasOptional) return undefined;
  const printed = tracker.printed.filter((bracket) => tree.depth[bracket] === 0);
  return { printed, anyInvisible: tracker.outermostInvisible().anyOfThese() };
}

/** Whether one that was not printed when the line was made is by now. */
function isAnyPrinted({ tree }: Line, { printed, anyInvisible }: OptionalParentheses): boolean {
  const isPrinted = (bracket: number): boolean => tree.textLength(bracket) > 0;
  return printed.some(isPrinted) || anyInvisible(isPrinted);
}

/** Whether the part prints the same text as the line it comes from. */
function isUnchanged(part: Line, { line, length, text }: Transformation): boolean {
  if (text === undefined) return part.leaves.length === length && hasSameLeaves(part, line);
  return renderedLength(part) === text.length && part.renderBare() === text;
}

function hasSameLeaves(part: Line, line: Line): boolean {
  if (part.depth !== line.depth) return false;
  for (let i = 0; i < line.leaves.length; i++) if (part.leaves[i] !== line.leaves[i]) return false;
  return true;
}

/** What can be told at once, without a look at the whole line. */
function mayNeedSecondOpinion(first: Line, mode: Mode): boolean {
  return !isLineShortEnough(first, mode.lineLength) && !nothingEverFits(first, mode);
}

function needsSecondOpinion(line: Line, first: Line, mode: Mode): boolean {
  const tree = line.tree;
  line.restoreLeaves();
  if (
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
 * Whether there is no opinion in which all lines fit, be it on this line or on one that it is a part of: a name is
 * longer than a line may be, or the indentation of what is split alone is as wide.
 */
function nothingEverFits({ tree, leaves }: Line, mode: Mode): boolean {
  const { lineLength } = mode;
  if (lineLength <= INDENT_WIDTH && !hasPreview(mode, Preview.parenthesize_expressions_with_comments))
    return true;
  return leaves.some((leaf) => tree.kind[leaf] === Kind.NAME && tree.textLength(leaf) > lineLength);
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
  const second = new Transformation(copy, mode, forced, false, rightHandSplitWithOmits, text);
  if (!transformAll(second, lines)) return false;
  const skipsComments = hasPreview(mode, Preview.parenthesize_expressions_with_comments);
  const allFit = lines.every(
    (made) => (skipsComments && made.isComment()) || isLineShortEnough(made, mode.lineLength),
  );
  if (!allFit) return true;
  result.length = start;
  for (const made of lines) result.push(made);
  return true;
}
