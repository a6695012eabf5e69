/** The pipeline from source to output (`black/__init__.py` format_str, _format_str_once). */
import { mayHoldDirective } from "../comments/directives.ts";
import { normalizeFormatOff } from "../comments/fmt-off/normalize.ts";
import { isTextShortEnough } from "../layout/short-enough.ts";
import { transformLine } from "../layout/transform-line.ts";
import { EmptyLineTracker } from "../lines/blank-lines/empty-line-tracker.ts";
import { factsOfLine } from "../lines/blank-lines/line-facts.ts";
import { LineGenerator } from "../lines/generator/line-generator.ts";
import { renderedInSource } from "../lines/line/render.ts";
import type { Line } from "../lines/line.ts";
import { verbatimReaderFor } from "../lines/verbatim/verbatim-reader.ts";
import type { Mode } from "../mode/mode.ts";
import { commonFeatures, Feature } from "../mode/target-version.ts";
import { ParseError } from "../parse/errors.ts";
import { inferTargetVersions } from "../parse/infer-target-versions.ts";
import { parse } from "../parse/parse.ts";
import { depthOfBrackets } from "../syntax/predicates/brackets.ts";
import { withinStack } from "../syntax/too-deep-error.ts";
import { lstrip } from "../util/python-text.ts";
import { keepDeclarationIgnored } from "./encoding-declaration.ts";
import { InvalidOutputError } from "./invalid-output-error.ts";
import { Output } from "./output.ts";
import { adjustRanges } from "./ranges/adjust-ranges.ts";
import { convertUnchangedLines } from "./ranges/convert-unchanged.ts";
import { type LineRange, LineSelection, sanitizeRanges } from "./ranges/line-range.ts";
import { restoreTrailingBlankLines } from "./ranges/trailing-blank-lines.ts";

/** What line generation may use of newer Python versions. */
const GENERATION_FEATURES =
  Feature.PARENTHESIZED_CONTEXT_MANAGERS | Feature.UNPARENTHESIZED_EXCEPT_TYPES | Feature.T_STRINGS;

/** What splitting may use of newer Python versions. */
const SPLIT_FEATURES = Feature.TRAILING_COMMA_IN_CALL | Feature.TRAILING_COMMA_IN_DEF;

/** Brackets within brackets that CPython takes (`Parser/lexer/state.h` MAXLEVEL). */
const MAX_BRACKETS = 200;

type CheckNested = (source: string) => void;

/**
 * Formats a source whose lines end in LF. Returns the same text when nothing changes; otherwise the output of a
 * second pass over the first one's, because a trailing comma that the first has added may change how lines split.
 *
 * @param ranges lines to format; none means all
 * @param checkNested called with a source of which lines to format are nested deeper than Python takes, whose output would
 *   be huge; it may throw
 * @throws {ParseError} when the source is not Python that the target versions allow
 * @throws {InvalidOutputError} when the first pass wrote something that is not
 */
export function formatSource(
  source: string,
  mode: Mode,
  ranges: readonly LineRange[] = [],
  checkNested?: CheckNested,
): string {
  return ranges.length > 0
    ? formatRanges(source, mode, ranges, checkNested)
    : formatPasses(source, mode, checkNested).output;
}

/** A formatted source, and whether that is known to format to itself. */
export interface FormatPasses {
  readonly output: string;
  /** The last pass left its input as it was, so that another one would too. */
  readonly isStable: boolean;
}

/** `formatSource` for a whole source, which also tells whether a further pass can be spared. */
export function formatPasses(source: string, mode: Mode, checkNested?: CheckNested): FormatPasses {
  const first = formatOnce(source, mode, [], checkNested);
  if (first === source) return { output: first, isStable: true };
  const second = formatAgain(first, mode);
  return { output: second, isStable: second === first };
}

function formatRanges(
  source: string,
  mode: Mode,
  wanted: readonly LineRange[],
  checkNested?: CheckNested,
): string {
  const ranges = sanitizeRanges(wanted, source);
  if (ranges.length === 0) return source;
  const output = formatOnce(source, mode, ranges, checkNested);
  if (output === source) return restoreTrailingBlankLines(source, output, ranges);
  const adjusted = adjustRanges(ranges, source, output);
  if (adjusted.length === 0) return output;
  return restoreTrailingBlankLines(source, formatAgain(output, mode, adjusted), adjusted);
}

/** The pass over what the first one wrote. */
function formatAgain(output: string, mode: Mode, ranges: readonly LineRange[] = []): string {
  try {
    return formatOnce(output, mode, ranges);
  } catch (error) {
    throw error instanceof ParseError ? new InvalidOutputError(error, output) : error;
  }
}

/**
 * One pass over the source, or its lines in `ranges` (Black: `_format_str_once`).
 *
 * @throws {TooDeepError} when the source is nested too deeply
 */
export function formatOnce(
  source: string,
  mode: Mode,
  ranges: readonly LineRange[] = [],
  checkNested?: CheckNested,
): string {
  return withinStack(() => runPass(source, mode, ranges, checkNested));
}

function runPass(
  source: string,
  mode: Mode,
  ranges: readonly LineRange[],
  checkNested?: CheckNested,
): string {
  const hasDirectives = mayHoldDirective(source);
  const reader =
    !hasDirectives && allowsVerbatimLines(mode, ranges)
      ? verbatimReaderFor(mode.lineLength, mode.magicTrailingComma)
      : undefined;
  const { tree, root, features, deepest } = parse(lstrip(source), mode.targetVersions, reader);
  const versions = mode.targetVersions.length > 0 ? mode.targetVersions : inferTargetVersions(features);
  const supported = commonFeatures(versions);
  if (hasDirectives) normalizeFormatOff(tree, root, ranges);
  if (ranges.length > 0) convertUnchangedLines(tree, root, new LineSelection(ranges));
  // Each of these would become a line that is indented more than the one before. More of them may be left on one long line.
  const limit = Math.max(MAX_BRACKETS, mode.lineLength / 2);
  if (deepest > limit && (ranges.length === 0 || depthOfBrackets(tree, root) > limit)) checkNested?.(source);

  const output = new Output(tree.source);
  const tracker = new EmptyLineTracker(mode);
  const emit = (line: Line): void => {
    output.begin(tracker.blockFor(factsOfLine(line)));
    for (const part of transformLine(line, mode, supported & SPLIT_FEATURES)) writeLine(output, part);
  };
  const generator = new LineGenerator(tree, mode, {
    features: supported & GENERATION_FEATURES,
    copiesComments: !hasDirectives && ranges.length === 0,
    emit,
    emitVerbatim(line, start, end) {
      output.begin(tracker.blockFor(line));
      output.writeRange(start, end);
    },
    isShortEnough: (line, text) => isTextShortEnough(line, text, mode.lineLength),
  });
  generator.visit(root);
  tree.release();
  if (output.isEmpty()) return source.includes("\n") ? "\n" : "";
  return mode.isIpynb ? output.text() : keepDeclarationIgnored(source, output.text());
}

function writeLine(output: Output, line: Line): void {
  const start = renderedInSource(line);
  if (start === -1) output.write(line.renderBare());
  else output.writeRange(start, lastTextEnd(line));
}

/** Where the last leaf that has text ends in the source. */
function lastTextEnd({ tree, leaves }: Line): number {
  let last = leaves.length - 1;
  while (tree.textLength(leaves[last]!) === 0) last--;
  return tree.end[leaves[last]!]!;
}

/** Whether lines that are formatted already are looked for: nothing changes the tree before lines are generated. */
function allowsVerbatimLines(mode: Mode, ranges: readonly LineRange[]): boolean {
  return mode.preview === 0 && ranges.length === 0;
}
