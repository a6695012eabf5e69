import type { Line } from "../../lines/line.ts";
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { isClosingBracket } from "../../syntax/kinds.ts";
import { ensureVisible } from "../../syntax/parentheses.ts";
import { NONE } from "../../syntax/tree.ts";
import { BracketSplit, bracketSplitSucceeded } from "./bracket-split.ts";
import { buildBody } from "./build-line.ts";
import { hugBrackets } from "./hugging.ts";

/** Closing brackets, by leaf, that a right-hand split must pass over. */
export type Omit = ReadonlySet<number>;

export const omitNothing: Omit = new Set();

/**
 * The line cut at its last bracket pair with content; `undefined` when there is none or nothing would be gained
 * (Black: _first_right_hand_split).
 */
export function firstRightHandSplit(line: Line): BracketSplit | undefined {
  return new RightHandSplits(line).find(omitNothing);
}

/**
 * The right-hand splits of one line. A search asks for the same ones again and again, each time passing over other
 * brackets on the way; each is made once.
 */
export class RightHandSplits {
  readonly line: Line;
  readonly #made = new Map<number, BracketSplit | undefined>();

  constructor(line: Line) {
    this.line = line;
  }

  /**
   * The split at the last bracket pair with content whose closing bracket is not in `omit`; `undefined` when there is
   * none or nothing would be gained.
   *
   * @param before index behind the leaves to look at: a search that goes on does not pass over the same brackets again
   */
  find(omit: Omit, before = this.line.leaves.length): BracketSplit | undefined {
    const { tree, leaves } = this.line;
    for (let close = before - 1; close >= 0; close--) {
      const leaf = leaves[close]!;
      if (!isClosingBracket(tree.kind[leaf]!) || omit.has(leaf)) continue;
      const open = openingIndex(leaves, tree.mate[leaf]!, close);
      if (open === -1) return undefined;
      if (open < close - 1) return this.#at(open, close);
      // Nothing between the two: they stay in the tail.
      close = open;
    }
    return undefined;
  }

  /** The split at the pair that ends in `closing`, one that has been found before. */
  of(closing: number): BracketSplit {
    const { tree, leaves } = this.line;
    const close = leaves.indexOf(closing);
    return this.#at(leaves.lastIndexOf(tree.mate[closing]!, close), close)!;
  }

  /** The brackets of `split` are printed from now on, which other splits may depend on. */
  show(split: BracketSplit): void {
    const { tree } = this.line;
    if (tree.textLength(split.openingBracket) > 0 && tree.textLength(split.closingBracket) > 0) return;
    ensureVisible(tree, split.openingBracket);
    ensureVisible(tree, split.closingBracket);
    this.#made.clear();
  }

  #at(open: number, close: number): BracketSplit | undefined {
    if (this.#made.has(close)) return this.#made.get(close);
    const split = makeSplit(this.line, open, close);
    const made = bracketSplitSucceeded(split) ? split : undefined;
    // Among comments it matters how deep the leaves of a body were when they were added to a line last.
    if (this.line.comments === undefined) this.#made.set(close, made);
    return made;
  }
}

function makeSplit(line: Line, open: number, close: number): BracketSplit {
  const { leaves } = line;
  const hugged = hasPreview(line.mode, Preview.hug_parens_with_braces_and_square_brackets)
    ? hugBrackets(line, open, close)
    : undefined;
  // Hugging moves the cuts inwards, towards the brackets inside.
  if (hugged !== undefined) return new BracketSplit(line, hugged.body, open, close, hugged.start, hugged.end);
  const body = buildBody(leaves, open + 1, close, line, leaves[open]!);
  return new BracketSplit(line, body, open, close, open + 1, close);
}

/** Index of `opening` before `close`, -1 when it is not on the line. */
function openingIndex(leaves: readonly number[], opening: number, close: number): number {
  if (opening === NONE) return -1;
  let at = close - 1;
  while (at >= 0 && leaves[at] !== opening) at--;
  return at;
}
