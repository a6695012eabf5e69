import { measuredLength, UNMEASURABLE } from "../../lines/leaf-size.ts";
import type { Line } from "../../lines/line.ts";
import { isClosingBracket, isOpeningBracket } from "../../syntax/kinds.ts";
import { INDENT_WIDTH } from "../short-enough.ts";

/** Whether what follows the brackets at the start fits up to the next brackets (Black: _can_omit_opening_paren). */
export function canOmitOpeningParen(line: Line, first: number, lineLength: number): boolean {
  const { tree, leaves } = line;
  let counting = false;
  let length = INDENT_WIDTH * line.depth;
  for (const leaf of leaves) {
    const measured = measuredLength(line, leaf);
    if (measured === UNMEASURABLE) return false;
    const kind = tree.kind[leaf]!;
    if (isClosingBracket(kind) && tree.mate[leaf] === first) counting = true;
    if (!counting) continue;
    length += measured;
    if (length > lineLength) return false;
    // Brackets that can be split further.
    if (isOpeningBracket(kind)) counting = false;
  }
  return true;
}

/** Whether what precedes the brackets at the end fits, or has brackets of its own (Black: _can_omit_closing_paren). */
export function canOmitClosingParen(line: Line, last: number, lineLength: number): boolean {
  const { tree, leaves } = line;
  const opening = tree.mate[last]!;
  let length = INDENT_WIDTH * line.depth;
  let otherBrackets = false;
  for (const leaf of leaves) {
    const measured = measuredLength(line, leaf);
    if (measured === UNMEASURABLE) return false;
    length += measured;
    if (leaf === opening) {
      if (otherBrackets || length <= lineLength) return true;
    } else if (isOpeningBracket(tree.kind[leaf]!)) {
      otherBrackets = true;
    }
  }
  return false;
}
