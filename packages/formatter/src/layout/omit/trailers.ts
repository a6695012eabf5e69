import { leafCodePoints, measuredLength, UNMEASURABLE } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { isClosingBracket, isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { isOneSequenceBetween } from "../../syntax/predicates/brackets.ts";
import { NONE } from "../../syntax/tree.ts";
import { INDENT_WIDTH } from "../short-enough.ts";

/**
 * Sets of closing brackets for a right-hand split to pass over, each holding the one before (it is the same set,
 * grown): bracket pairs from the right as long as they fit on one line. The first is empty, unless a magic trailing
 * comma demands its brackets to be split (Black: generate_trailers_to_omit).
 *
 * Lengths are read while it runs: a split tried in between may have made parentheses visible.
 */
export function* trailersToOmit(line: Line, lineLength: number): Generator<Set<number>, void, void> {
  const { tree, leaves } = line;
  const omit = new Set<number>();
  if (line.magicTrailingComma === NONE) yield omit;

  let length = INDENT_WIDTH * line.depth;
  let opening: number = NONE;
  let closing: number = NONE;
  let inner: number[] = [];
  for (let i = leaves.length - 1; i >= 0; i--) {
    const leaf = leaves[i]!;
    const measured = measuredLength(line, leaf);
    if (measured === UNMEASURABLE) return;
    length += measured;
    if (length > lineLength) return;
    if (tree.kind[leaf] === Kind.STANDALONE_COMMENT || measured > leafCodePoints(tree, leaf)) return;
    const isClosing = isClosingBracket(tree.kind[leaf]!);
    if (opening !== NONE) {
      if (leaf === opening) {
        opening = NONE;
      } else if (isClosing) {
        if (mustExplode(line, i)) return;
        inner.push(leaf);
      }
    } else if (isClosing) {
      if (i > 0 && isOpeningBracket(tree.kind[leaves[i - 1]!]!)) {
        // A split at empty brackets fails: they are passed over together with the next pair.
        inner.push(leaf);
        continue;
      }
      if (closing !== NONE) {
        omit.add(closing);
        for (const bracket of inner) omit.add(bracket);
        inner = [];
        yield omit;
      }
      if (mustExplode(line, i)) return;
      if (tree.textLength(leaf) > 0) {
        opening = tree.mate[leaf]!;
        closing = leaf;
      }
    }
  }
}

/** Whether a trailing comma stands before the closing bracket at `index`, that of a one-tuple aside. */
function mustExplode(line: Line, index: number): boolean {
  const { tree, leaves } = line;
  if (index === 0 || tree.kind[leaves[index - 1]!] !== Kind.COMMA) return false;
  const closing = leaves[index]!;
  const opening = tree.mate[closing]!;
  return opening !== NONE && !isOneSequenceBetween(tree, opening, closing, leaves, index);
}
