import { Priority } from "../lines/delimiters.ts";
import type { Line } from "../lines/line.ts";
import type { Split } from "../lines/split.ts";
import { hasPreview, type Mode } from "../mode/mode.ts";
import { Preview } from "../mode/preview.ts";
import { Kind } from "../syntax/kinds.ts";
import { NONE } from "../syntax/tree.ts";
import { mergeStrings } from "../transform/merge/string-merger.ts";
import { stripStringParens } from "../transform/paren-stripper.ts";
import { splitString } from "../transform/split/string-splitter.ts";
import { wrapString } from "../transform/wrap/string-wrapper.ts";
import { shouldSplitFuncdefWithRhs } from "./funcdef-return.ts";
import { delimiterSplit } from "./splits/delimiter.ts";
import { leftHandSplit } from "./splits/left-hand.ts";
import { rightHandSplitWithOmits } from "./splits/right-hand-with-omits.ts";
import { standaloneCommentSplit } from "./splits/standalone-comment.ts";
import { typeIgnoreCommentSplit } from "./splits/type-ignore-comment.ts";

/** The splits to try on each sort of line, in this order. */
interface SplitLists {
  /** Lines that are fine as they stand. */
  readonly short: readonly Split[];
  readonly insideBrackets: readonly Split[];
  /** Lines inside brackets whose only delimiters stand between adjacent strings. */
  readonly concatenation: readonly Split[];
  readonly statement: readonly Split[];
}

const functionDefinition: readonly Split[] = [leftHandSplit];

const bracketSplits: readonly Split[] = [delimiterSplit, typeIgnoreCommentSplit, standaloneCommentSplit];

const plain: SplitLists = {
  short: [],
  insideBrackets: [...bracketSplits, rightHandSplitWithOmits],
  concatenation: [...bracketSplits, rightHandSplitWithOmits],
  statement: [rightHandSplitWithOmits],
};

const stringPreparation: readonly Split[] = [mergeStrings, stripStringParens];

const withStrings: SplitLists = {
  short: stringPreparation,
  insideBrackets: [...stringPreparation, splitString, ...bracketSplits, wrapString, rightHandSplitWithOmits],
  concatenation: [...stringPreparation, splitString, wrapString, ...bracketSplits, rightHandSplitWithOmits],
  statement: [...stringPreparation, splitString, wrapString, rightHandSplitWithOmits],
};

/** Of a line with strings in which there is nothing to prepare. */
const settledStatement: readonly Split[] = [splitString, wrapString, rightHandSplitWithOmits];

/**
 * The splits to try on a line; the first that applies counts (Black: the choice within transform_line).
 * `needsNoSplit`: the line is fine as it stands.
 */
export function splitsFor(line: Line, mode: Mode, needsNoSplit: boolean): readonly Split[] {
  const lists = line.hasString && hasPreview(mode, Preview.string_processing) ? withStrings : plain;
  if (needsNoSplit) return lists.short;
  if (line.isDef() && !shouldSplitFuncdefWithRhs(line)) return functionDefinition;
  if (line.hasSettledStrings) return settledStatement;
  if (!line.insideBrackets) return lists.statement;
  return isConcatenationValue(line) ? lists.concatenation : lists.insideBrackets;
}

/** Whether the line is a value made of adjacent strings, with something before it (Black: _is_implicit_concatenation_value). */
function isConcatenationValue(line: Line): boolean {
  const { tree, leaves } = line;
  if (tree.kind[leaves[0]!] === Kind.STRING) return false;
  const last = leaves[leaves.length - 1]!;
  const exclude = tree.kind[last] === Kind.COMMA ? last : NONE;
  return line.tracker.maxDelimiterPriority(exclude) === Priority.STRING;
}
