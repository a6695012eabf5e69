import { shareCustomSplits } from "../lines/custom-splits.ts";
import { Kind } from "../syntax/kinds.ts";
import { stringPrefixLength } from "../syntax/predicates/strings.ts";
import type { Tree } from "../syntax/tree.ts";

/** The prefix letters of a string literal in lower case (Black: `get_string_prefix(...).lower()`). */
export function lowerPrefix(literal: string): string {
  return literal.slice(0, stringPrefixLength(literal)).toLowerCase();
}

/** A new string leaf with the text of another, and its custom splits, that is not part of the tree. */
export function copyString(tree: Tree, leaf: number): number {
  const copy = tree.makeLeaf(Kind.STRING, tree.text(leaf));
  shareCustomSplits(tree, leaf, copy);
  return copy;
}

/** Whether a leaf of the kind may stand before a string that is split (Black: STRING_OPERATORS). */
export function isStringOperator(kind: number): boolean {
  switch (kind) {
    case Kind.EQEQUAL:
    case Kind.GREATER:
    case Kind.GREATEREQUAL:
    case Kind.LESS:
    case Kind.LESSEQUAL:
    case Kind.NOTEQUAL:
    case Kind.PERCENT:
    case Kind.PLUS:
    case Kind.STAR:
      return true;
    default:
      return false;
  }
}

/** East Asian punctuation after which a string may be broken (Black: SPLIT_SAFE_CHARS). */
export function isSplitSafe(char: string | undefined): boolean {
  return char === "\u3001" || char === "\u3002" || char === "\uff0c";
}
