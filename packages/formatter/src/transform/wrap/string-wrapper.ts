import { appendLeaves } from "../../lines/append-leaves.ts";
import { hasCustomSplits } from "../../lines/custom-splits.ts";
import { Line } from "../../lines/line.ts";
import type { Mode } from "../../mode/mode.ts";
import { isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { isEmptyLpar } from "../../syntax/predicates/brackets.ts";
import { replaceChild } from "../../syntax/predicates/family.ts";
import { NONE } from "../../syntax/tree.ts";
import { stringWidth } from "../../util/width.ts";
import { ChildSlot } from "../child-slot.ts";
import { isSplittableString } from "../split/validate.ts";
import { copyString, isSplitSafe } from "../string-leaf.ts";
import { wrappableString } from "./find-string.ts";

/** Puts a string, with what follows it, on a line of its own in parentheses (Black: StringParenWrapper). */
export function wrapString(
  line: Line,
  _features: number,
  mode: Mode,
): Iterable<Line | undefined> | undefined {
  const { tree, leaves } = line;
  if (leaves.length === 0 || isOpeningBracket(tree.kind[leaves[leaves.length - 1]!]!)) return undefined;
  const index = wrappableString(line);
  if (index === -1 || !isWorthWrapping(line, index, mode.lineLength)) return undefined;
  if (!isSplittableString(line, index, mode.lineLength)) return undefined;
  return wrapAt(line, index);
}

/** Black: the second half of do_splitter_match. */
function isWorthWrapping(line: Line, index: number, lineLength: number): boolean {
  const { tree, leaves } = line;
  const leaf = leaves[index]!;
  const next = tree.next[leaf]!;
  if (next !== NONE && tree.kind[next] === Kind.STRING) {
    // The rest of the concatenation must be on the line, without comments, and the first part alone too long.
    if (!leaves.includes(next) || (line.comments !== undefined && line.comments.size > 0)) return false;
    let tail = "";
    for (const after of leaves.slice(index + 1)) tail += " ".repeat(tree.space[after]!) + tree.text(after);
    if (stringWidth(line.renderBare()) - stringWidth(tail) <= lineLength) return false;
  }
  const text = tree.text(leaf);
  for (const char of text) if (char === " " || isSplitSafe(char)) return true;
  return stringWidth(text) <= lineLength - (line.depth + 1) * 4 || hasCustomSplits(tree, leaf);
}

/** The three lines: up to the parenthesis, the string, the closing parenthesis (Black: do_transform). */
function* wrapAt(line: Line, index: number): Generator<Line, void, void> {
  const { tree, leaves } = line;
  const slot = new ChildSlot(tree, leaves[index]!);
  const last = leaves[leaves.length - 1]!;
  const endsWithComma = tree.kind[last] === Kind.COMMA;
  const endsWithAnnotation = tree.kind[last] === Kind.COLON && isAfterArrow(line, index);

  const left = leaves.slice(0, index);
  const sources = [leaves[index]!];
  if (endsWithComma) sources.push(last);
  let oldOpening: number = NONE;
  if (left.length > 0 && tree.kind[left[left.length - 1]!] === Kind.LPAR) {
    oldOpening = left.pop()!;
    sources.push(oldOpening);
  }
  const first = line.clone();
  appendLeaves(first, line, left);
  const opening = tree.makeLeaf(Kind.LPAR, "(");
  if (oldOpening === NONE) slot.insert(opening);
  else replaceChild(tree, oldOpening, opening);
  first.append(opening);
  // Comments behind the string go behind the parenthesis.
  for (const source of sources) for (const comment of line.commentsAfter(source)) first.append(comment, true);
  yield first;

  const middle = new Line(tree, line.mode, line.depth + 1, true);
  middle.shouldSplitRhs = line.shouldSplitRhs;
  middle.magicTrailingComma = line.magicTrailingComma;
  const string = copyString(tree, leaves[index]!);
  slot.insert(string);
  middle.append(string);
  let oldClosing: number = NONE;
  if (index + 1 < leaves.length) {
    const right = leaves.slice(index + 1);
    if (endsWithComma) right.pop();
    if (endsWithAnnotation) right.pop();
    if (oldOpening !== NONE) oldClosing = right.pop() ?? NONE;
    else if (right.length > 0 && closesLambda(line, left, right[right.length - 1]!)) right.pop();
    appendLeaves(middle, line, right);
  }
  yield middle;

  const end = line.clone();
  end.tracker = first.tracker;
  const closing = tree.makeLeaf(Kind.RPAR, ")");
  if (oldClosing === NONE) slot.insert(closing);
  else replaceChild(tree, oldClosing, closing);
  end.append(closing);
  if (endsWithComma) {
    const comma = tree.makeLeaf(Kind.COMMA, ",");
    replaceChild(tree, last, comma);
    end.append(comma);
  }
  if (endsWithAnnotation) appendLeaves(end, line, [last]);
  if (oldClosing !== NONE) for (const comment of line.commentsAfter(oldClosing)) end.append(comment, true);
  yield end;
}

function isAfterArrow(line: Line, index: number): boolean {
  const { tree, leaves } = line;
  if (index === 0) return false;
  const arrow = isEmptyLpar(tree, leaves[index - 1]!) ? index - 2 : index - 1;
  return arrow >= 0 && tree.kind[leaves[arrow]!] === Kind.RARROW;
}

/**
 * Whether the parenthesis is that around a lambda which is a dictionary value: it comes after the string, but isn't
 * the string's. Any opening parenthesis with the same text counts as its partner, as it does for Black.
 */
function closesLambda(line: Line, left: readonly number[], closing: number): boolean {
  const { tree } = line;
  if (tree.kind[closing] !== Kind.RPAR) return false;
  const opening = tree.mate[closing]!;
  if (opening === NONE) return false;
  const at = left.findIndex(
    (leaf) => tree.kind[leaf] === tree.kind[opening] && tree.text(leaf) === tree.text(opening),
  );
  return (
    at > 0 &&
    at < left.length - 1 &&
    tree.kind[left[at - 1]!] === Kind.COLON &&
    tree.kind[left[at + 1]!] === Kind.KW_LAMBDA
  );
}
