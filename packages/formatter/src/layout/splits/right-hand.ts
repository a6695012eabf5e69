import type { Line } from "../../lines/line.ts";
import type { Mode } from "../../mode/mode.ts";
import { firstRightHandSplit, type Omit } from "./first-right-hand.ts";
import { splitOmittingOptionalParens } from "./optional-parens.ts";

/**
 * Splits at the last bracket pair whose closing bracket is not in `omit`; where that is a pair of optional
 * parentheses, tries without them, too (Black: right_hand_split).
 *
 * @param endsLine whether the line is not needed any more
 */
export function rightHandSplit(
  line: Line,
  mode: Mode,
  features: number,
  omit: Omit,
  endsLine = false,
): Line[] | undefined {
  const split = firstRightHandSplit(line, omit, endsLine);
  return split && splitOmittingOptionalParens(split, line, mode, features, omit);
}
