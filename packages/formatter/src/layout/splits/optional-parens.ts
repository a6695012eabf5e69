import type { Line } from "../../lines/line.ts";
import type { Trail } from "../../lines/split.ts";
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { Feature } from "../../mode/target-version.ts";
import { Kind } from "../../syntax/kinds.ts";
import { isEmptyLpar, isEmptyRpar } from "../../syntax/predicates/brackets.ts";
import { parentKind } from "../../syntax/predicates/family.ts";
import { NONE } from "../../syntax/tree.ts";
import { canBeSplit } from "../can-be-split.ts";
import { canOmitInvisibleParens } from "../omit/can-omit-invisible-parens.ts";
import { prefersSplitOmittingParens } from "../omit/prefer-omitting.ts";
import { isLineShortEnough } from "../short-enough.ts";
import type { BracketSplit } from "./bracket-split.ts";
import { passOverTargets } from "./chained-targets.ts";
import type { Omit, RightHandSplits } from "./first-right-hand.ts";

/**
 * The right-hand split to take instead of `first`. If that is at optional parentheses, a split without them is tried
 * first, which may again be at optional parentheses; only when that fails or looks worse, the parentheses are printed
 * (Black: _maybe_split_omitting_optional_parens, which calls itself). `undefined` when neither works out.
 */
export function splitOmittingOptionalParens(
  splits: RightHandSplits,
  first: BracketSplit,
  mode: Mode,
  features: number,
  omit: Omit,
): BracketSplit | undefined {
  if ((features & Feature.FORCE_OPTIONAL_PARENTHESES) !== 0) {
    splits.show(first);
    return first;
  }
  const { trail } = splits.line;
  if (trail !== undefined && trail.count > 0 && omit.size === 0) return lastThatHelps(splits, trail, mode);
  const { line } = splits;
  /** Closing brackets of splits that the one at hand is tried instead of. */
  const passedOver: number[] = [];
  let wider: Set<number> | undefined;
  let split = first;
  while (mayGoWithout(split, mode)) {
    wider ??= new Set(omit);
    wider.add(split.closingBracket);
    const { isChainedAssignment } = splits;
    const other = splits.find(wider, isChainedAssignment ? passOverTargets(split, line, mode) : split.close);
    if (other !== undefined && prefersSplitOmittingParens(other, split, mode)) {
      passedOver.push(split.closingBracket);
      split = other;
      continue;
    }
    const failed =
      other === undefined || hasPreview(mode, Preview.avoid_parens_for_unbreakable_rhs_in_assignments);
    // Of a chained assignment the split found before is good enough.
    if (!failed || isChainedAssignment) break;
    passedOver.push(split.closingBracket);
    const chosen = lastThatHelps(splits, { closings: passedOver, count: passedOver.length }, mode);
    // Only where nothing is left of the split does a search through the tail, which begins with it, end there.
    if (chosen !== undefined && (other !== undefined || omit.size > 0)) chosen.trail = undefined;
    return chosen;
  }
  splits.show(split);
  return split;
}

/** Of splits that have been passed over for others that failed, the one passed over last whose parentheses do any good. */
function lastThatHelps(
  splits: RightHandSplits,
  { closings, count }: Trail,
  mode: Mode,
): BracketSplit | undefined {
  // They were passed over from right to left.
  let from = 0;
  for (let left = count - 1; left >= 0; left--) {
    const split = splits.of(closings[left]!, from);
    from = split.close;
    if (parensCannotHelp(split, mode)) continue;
    splits.show(split);
    if (isSteady(splits.line))
      split.trail = { closings, count: countInTail(split, { closings, count: left }) };
    return split;
  }
  return undefined;
}

/**
 * How many of the splits on the trail a search through the tail of this one gets to: it gives up at a closing bracket
 * whose opening one is in the head.
 */
function countInTail({ line: { tree }, closingBracket }: BracketSplit, { closings, count }: Trail): number {
  let reached = count;
  let pair = tree.parent[closingBracket]!;
  while (reached > 0) {
    pair = tree.parent[pair]!;
    if (pair === NONE) break;
    const closing = tree.last[pair]!;
    const at = isEmptyRpar(tree, closing) ? closings.lastIndexOf(closing, reached - 1) : -1;
    if (at !== -1) reached = at;
  }
  return reached;
}

/**
 * Whether a search through the tail of a split in this line takes the same way: what is between its brackets decides,
 * and what stands before them matters in assignments and dictionaries only. Of a `with` statement of hundreds of
 * context managers each gets parentheses of its own, one split after the other.
 */
function isSteady(line: Line): boolean {
  if (line.comments !== undefined || line.containsStandaloneComments()) return false;
  return line.trail !== undefined || line.isWithOrAsyncWithStmt();
}

/** Whether the split is at optional parentheses that a body of its shape can do without. */
function mayGoWithout(split: BracketSplit, mode: Mode): boolean {
  const { line } = split;
  return (
    isEmptyLpar(line.tree, split.openingBracket) &&
    isEmptyRpar(line.tree, split.closingBracket) &&
    !line.isImport() &&
    canOmitInvisibleParens(split, mode)
  );
}

/** Whether to give the split up because parentheses around the body would not make it fit either. */
function parensCannotHelp(split: BracketSplit, mode: Mode): boolean {
  if (
    !canBeSplit(split.body) &&
    !isLineShortEnough(split.body, mode.lineLength) &&
    !keepsParens(split, mode)
  ) {
    return true;
  }
  return split.hasMultilineStringOutside();
}

/** Dictionary values (preview) and the patterns and guards of `case` keep their parentheses. */
function keepsParens({ body: { tree }, openingBracket }: BracketSplit, mode: Mode): boolean {
  const grandparent = parentKind(tree, tree.parent[openingBracket]!);
  if (grandparent === Kind.case_block) return true;
  return grandparent === Kind.dictsetmaker && hasPreview(mode, Preview.wrap_long_dict_values_in_parens);
}
