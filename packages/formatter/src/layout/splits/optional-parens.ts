import type { Line } from "../../lines/line.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { Feature } from "../../mode/target-version.ts";
import { Kind } from "../../syntax/kinds.ts";
import { ensureVisible } from "../../syntax/parentheses.ts";
import { isEmptyLpar, isEmptyRpar } from "../../syntax/predicates/brackets.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { canBeSplit } from "../can-be-split.ts";
import { canOmitInvisibleParens } from "../omit/can-omit-invisible-parens.ts";
import { prefersSplitOmittingParens } from "../omit/prefer-omitting.ts";
import { isLineShortEnough } from "../short-enough.ts";
import { type BracketSplit, nonEmpty } from "./bracket-split.ts";
import { passOverTargets } from "./chained-targets.ts";
import { firstRightHandSplit, type Omit } from "./first-right-hand.ts";

/**
 * The lines of a right-hand split. If it is at optional parentheses, a split without them is tried first; only
 * when that fails or looks worse, the parentheses are printed (Black: _maybe_split_omitting_optional_parens).
 * Returns `undefined` when neither works out.
 */
export function splitOmittingOptionalParens(
  split: BracketSplit,
  line: Line,
  mode: Mode,
  features: number,
  omit: Omit,
): Line[] | undefined {
  const { tree } = line;
  if (
    (features & Feature.FORCE_OPTIONAL_PARENTHESES) === 0 &&
    isEmptyLpar(tree, split.openingBracket) &&
    isEmptyRpar(tree, split.closingBracket) &&
    !line.isImport() &&
    canOmitInvisibleParens(split, mode)
  ) {
    const without = splitWithout(split, line, mode, features, omit);
    if (without.tried === "done") return without.lines;
    if (without.tried === "failed" && parensCannotHelp(split, line, mode)) return undefined;
  }
  ensureVisible(tree, split.openingBracket);
  ensureVisible(tree, split.closingBracket);
  return nonEmpty(split.head, split.body, split.tail);
}

/** `done`: use `lines`; `failed`: no split without the parentheses; `worse`: there is one, but it isn't preferred. */
interface Attempt {
  readonly tried: "done" | "failed" | "worse";
  readonly lines: Line[] | undefined;
}

const FAILED: Attempt = { tried: "failed", lines: undefined };
const WORSE: Attempt = { tried: "worse", lines: undefined };

function splitWithout(split: BracketSplit, line: Line, mode: Mode, features: number, omit: Omit): Attempt {
  const wider = new Set(omit);
  wider.add(split.closingBracket);
  if (line.isChainedAssignment()) passOverTargets(split, line, mode, wider);
  const other = firstRightHandSplit(line, wider);
  if (other === undefined) return FAILED;
  if (prefersSplitOmittingParens(other, split, mode)) {
    const lines = splitOmittingOptionalParens(other, line, mode, features, wider);
    return lines === undefined ? FAILED : { tried: "done", lines };
  }
  return hasPreview(mode, Preview.avoid_parens_for_unbreakable_rhs_in_assignments) ? FAILED : WORSE;
}

/** Whether to give the split up because parentheses around the body would not make it fit either. */
function parensCannotHelp(split: BracketSplit, line: Line, mode: Mode): boolean {
  // Of a chained assignment the split found before is good enough.
  if (line.isChainedAssignment()) return false;
  if (
    !canBeSplit(split.body) &&
    !isLineShortEnough(split.body, mode.lineLength) &&
    !keepsParens(split, line, mode)
  ) {
    return true;
  }
  return split.head.containsMultilineStrings() || split.tail.containsMultilineStrings();
}

/** Dictionary values (preview) and the patterns and guards of `case` keep their parentheses. */
function keepsParens(split: BracketSplit, line: Line, mode: Mode): boolean {
  const grandparent = parentKind(line.tree, line.tree.parent[split.openingBracket]!);
  if (grandparent === Kind.case_block) return true;
  return grandparent === Kind.dictsetmaker && hasPreview(mode, Preview.wrap_long_dict_values_in_parens);
}
