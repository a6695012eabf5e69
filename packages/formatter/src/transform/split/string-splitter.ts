import { appendLeaves } from "../../lines/append-leaves.ts";
import { takeCustomSplits } from "../../lines/custom-splits.ts";
import type { Line } from "../../lines/line.ts";
import type { Mode } from "../../mode/mode.ts";
import { normalizeStringQuotes } from "../../normalize/strings/quotes.ts";
import { isNameKind, Kind } from "../../syntax/kinds.ts";
import { isEmptyLpar, isEmptyRpar } from "../../syntax/predicates/brackets.ts";
import { replaceChild } from "../../syntax/predicates/family.ts";
import { stringWidth } from "../../util/width.ts";
import { ChildSlot } from "../child-slot.ts";
import { containsFexpr } from "../fexpr-spans.ts";
import { isStringOperator, lowerPrefix } from "../string-leaf.ts";
import { stringTrailerEnd } from "../string-trailer.ts";
import { isBareStringTuple, prefersParenWrap } from "./prefers-wrap.ts";
import { splitLiteral } from "./split-literal.ts";
import { isSplittableString } from "./validate.ts";

/**
 * Breaks a string that has a line to itself, with an operator before it and a trailer or a comma behind it at most
 * (Black: StringSplitter).
 */
export function splitString(
  line: Line,
  _features: number,
  mode: Mode,
): Iterable<Line | undefined> | undefined {
  const index = loneString(line);
  if (index === -1 || !isSplittableString(line, index, mode.lineLength)) return undefined;
  return splitLines(line, index, mode);
}

/** Index of the string that is alone on the line, -1 when there is none (Black: do_splitter_match). */
function loneString(line: Line): number {
  const { tree, leaves } = line;
  if (leaves.length === 0 || prefersParenWrap(tree, leaves)) return -1;
  if (isBareStringTuple(tree, leaves, line.insideBrackets)) return -1;
  const kindAt = (at: number): number => (at < leaves.length ? tree.kind[leaves[at]!]! : -1);
  let at = 0;
  // Black compares the text of both.
  if (kindAt(0) === Kind.KW_NOT && kindAt(1) === Kind.KW_IN && tree.space[leaves[1]!] === 1) at = 2;
  else if (isStringOperator(kindAt(0)) || kindAt(0) === Kind.KW_IN) at = 1;
  if (at < leaves.length && isEmptyLpar(tree, leaves[at]!)) at++;
  if (kindAt(at) !== Kind.STRING) return -1;
  const index = at;
  at = stringTrailerEnd(tree, leaves, index);
  if (at < leaves.length && isEmptyRpar(tree, leaves[at]!)) at++;
  if (kindAt(at) === Kind.COMMA) at++;
  return at < leaves.length ? -1 : index;
}

/** The lines, one for each part; the rest of the line follows the last part if it fits (Black: do_transform). */
function* splitLines(line: Line, index: number, mode: Mode): Generator<Line | undefined, void, void> {
  const { tree, leaves } = line;
  const leaf = leaves[index]!;
  const literal = tree.text(leaf);
  const prefix = lowerPrefix(literal);
  const slot = new ChildSlot(tree, leaf);
  // The prefix may go from parts that don't need it, but only if it does something in some part.
  const dropsPrefix = prefix.includes("f") && containsFexpr(literal);
  const operators = operatorCopies(line);
  const room = mode.lineLength - line.depth * 4;
  if (room - 1 < 0) {
    yield undefined;
    return;
  }
  const rest = leaves.slice(index + 1);
  const endsWithComma = rest.length > 0 && tree.kind[rest[0]!] === Kind.COMMA;
  const operatorLength = operators.reduce((sum, operator) => sum + tree.textLength(operator), 0);
  const operatorColumns = operators.length > 0 ? operatorLength + 1 : 0;
  const maxLast = room - (endsWithComma ? 1 : 0) - operatorColumns;
  const { parts, abandoned } = splitLiteral(literal, {
    prefix,
    dropsPrefix,
    maxBreakWidth: room - 1,
    maxLastWidth: maxLast,
    operatorColumns,
    customSplits: takeCustomSplits(tree, leaf),
  });

  const insertPart = (text: string): number => {
    const part = tree.makeLeaf(Kind.STRING, mode.stringNormalization ? normalizeStringQuotes(text) : text);
    slot.insert(part);
    return part;
  };
  const lineWith = (text: string, isFirst: boolean): Line => {
    const part = insertPart(text);
    const result = line.clone();
    if (isFirst) appendOperators(result, line, operators, abandoned.length > 0);
    result.append(part);
    return result;
  };
  // Parts of an attempt given up stay in the tree, and so come between the operators and the string.
  for (const text of abandoned) insertPart(text);
  yield* parts.slice(0, -1).map((text, at) => lineWith(text, at === 0));

  const lastText = parts[parts.length - 1]!;
  const last = lineWith(lastText, parts.length === 1);
  if (rest.length === 0) {
    last.comments = line.comments && new Map(line.comments);
    yield last;
    return;
  }
  if (endsWithComma || stringWidth(lastText + headOf(line, rest)) <= maxLast) {
    appendLeaves(last, line, rest);
    yield last;
    return;
  }
  yield last;
  const below = line.clone();
  appendLeaves(below, line, rest);
  yield below;
}

/** Copies of the operators and keywords in front of the string (Black: _get_string_operator_leaves). */
function operatorCopies(line: Line): number[] {
  const { tree, leaves } = line;
  const copies: number[] = [];
  for (const leaf of leaves) {
    const kind = tree.kind[leaf]!;
    if (!isStringOperator(kind) && !isNameKind(kind)) break;
    copies.push(tree.makeLeaf(kind, tree.text(leaf)));
  }
  return copies;
}

/** @param isSecondTime whether an attempt given up had a line with them: Black adds the space within `not in` again. */
function appendOperators(to: Line, line: Line, operators: readonly number[], isSecondTime: boolean): void {
  const { tree, leaves } = line;
  operators.forEach((operator, at) => {
    replaceChild(tree, leaves[at]!, operator);
    to.append(operator);
    if (isSecondTime && at > 0) tree.space[operator]! *= 2;
  });
}

/** The text behind the string up to its first parenthesis. */
function headOf(line: Line, rest: readonly number[]): string {
  const { tree } = line;
  let text = "";
  for (const leaf of rest) {
    text += " ".repeat(tree.space[leaf]!) + tree.text(leaf);
    if (tree.kind[leaf] === Kind.LPAR) break;
  }
  return text;
}
