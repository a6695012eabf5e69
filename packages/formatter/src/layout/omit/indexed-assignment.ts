import { measuredLength, UNMEASURABLE } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { isClosingBracket, isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { NONE } from "../../syntax/tree.ts";
import { INDENT_WIDTH } from "../short-enough.ts";
import type { BracketSplit } from "../splits/bracket-split.ts";

/** What stands before the value on the last line of a split subscript: `] = `. */
const TAIL_PREFIX_LENGTH = 4;

/**
 * Whether the split is after `target[...] =` with a target too long for one line, so that the value fits behind
 * the target's closing bracket without parentheses (Black: within can_omit_invisible_parens, preview).
 */
export function fitsAfterSubscriptTarget(split: BracketSplit, lineLength: number): boolean {
  const { body, leafBefore } = split;
  if (leafBefore === NONE || body.tree.kind[leafBefore] !== Kind.EQUAL) return false;
  const { line, start } = split;
  if (start < 3 || body.tree.kind[line.leaves[start - 3]!] !== Kind.RSQB) return false;
  if (split.isHeadShortEnough(lineLength) || isAnnotatedAssignment(line, start)) return false;
  let length = INDENT_WIDTH * body.depth + TAIL_PREFIX_LENGTH;
  for (const leaf of body.leaves) {
    const measured = measuredLength(body, leaf);
    if (measured === UNMEASURABLE) break;
    length += measured;
  }
  return length <= lineLength;
}

/** Whether a colon stands outside brackets among the first `end` leaves (Black: _is_annotated_assignment). */
function isAnnotatedAssignment({ tree, leaves }: Line, end: number): boolean {
  let depth = 0;
  for (let i = 0; i < end; i++) {
    const leaf = leaves[i]!;
    const kind = tree.kind[leaf]!;
    if (tree.textLength(leaf) === 0) continue;
    if (isOpeningBracket(kind)) depth++;
    else if (isClosingBracket(kind)) depth--;
    else if (kind === Kind.COLON && depth === 0) return true;
  }
  return false;
}
