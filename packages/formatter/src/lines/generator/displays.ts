/** Dictionaries, comprehensions and `yield` (`linegen.py` visit_dictsetmaker, visit_comp_for). */
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { kindSet } from "../../syntax/kind-set.ts";
import { isOpeningBracket, Kind } from "../../syntax/kinds.ts";
import { wrapInParentheses } from "../../syntax/parentheses.ts";
import { isWalrusAssignment } from "../../syntax/predicates/atoms.ts";
import { prevKind } from "../../syntax/predicates/family.ts";
import { NONE } from "../../syntax/tree.ts";
import { maybeMakeParensInvisibleInAtom } from "../parentheses/make-invisible.ts";
import { normalizeInvisibleParens } from "../parentheses/normalize.ts";
import { normalizeUnpackingTargets } from "../parentheses/targets.ts";
import type { Generation } from "./visitor.ts";

const afterIn = kindSet([Kind.KW_IN]);
const afterYield = kindSet([Kind.KW_YIELD]);
const nothing = kindSet([]);

/** Preview: invisible parentheses go round the values of a dictionary. */
export function prepareDictSetMaker(generator: Generation, node: number): void {
  const { tree, mode, features } = generator;
  if (!hasPreview(mode, Preview.wrap_long_dict_values_in_parens)) return;
  for (let child = tree.first[node]!; child !== NONE; ) {
    const next = tree.next[child]!;
    if (prevKind(tree, child) === Kind.COLON) {
      const isBracketed =
        tree.kind[child] === Kind.atom &&
        isOpeningBracket(tree.kind[tree.first[child]!]!) &&
        !isWalrusAssignment(tree, child);
      if (isBracketed) maybeMakeParensInvisibleInAtom(tree, child, node, features);
      else wrapInParentheses(tree, child, false);
    }
    child = next;
  }
}

export function prepareCompFor(generator: Generation, node: number): void {
  const { tree, mode, features } = generator;
  if (hasPreview(mode, Preview.remove_redundant_unpacking_parentheses)) {
    const second = tree.next[tree.first[node]!]!;
    if (second !== NONE) normalizeUnpackingTargets(tree, second, features);
  }
  if (hasPreview(mode, Preview.wrap_comprehension_in)) normalizeInvisibleParens(generator, node, afterIn);
}

export function prepareYield(generator: Generation, node: number): void {
  const wraps = hasPreview(generator.mode, Preview.parenthesize_tuple_in_yield);
  normalizeInvisibleParens(generator, node, wraps ? afterYield : nothing);
}
