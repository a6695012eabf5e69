import type { Mode } from "../../mode/mode.ts";
import type { BracketSplit } from "./bracket-split.ts";
import type { Omit, RightHandSplits } from "./first-right-hand.ts";
import { splitOmittingOptionalParens } from "./optional-parens.ts";

/**
 * Splits at the last bracket pair whose closing bracket is not in `omit`; where that is a pair of optional
 * parentheses, tries without them, too (Black: right_hand_split).
 */
export function rightHandSplit(
  splits: RightHandSplits,
  mode: Mode,
  features: number,
  omit: Omit,
): BracketSplit | undefined {
  const split = splits.find(omit);
  return split && splitOmittingOptionalParens(splits, split, mode, features, omit);
}
