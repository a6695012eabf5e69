import type { Line } from "../../lines/line.ts";
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { isClosingBracket } from "../../syntax/kinds.ts";
import { NONE } from "../../syntax/tree.ts";
import { type BracketSplit, bracketSplitSucceeded } from "./bracket-split.ts";
import { buildBody, buildHead, buildTail } from "./build-line.ts";
import { hugBrackets } from "./hugging.ts";

/** Closing brackets, by leaf, that a right-hand split must pass over. */
export type Omit = ReadonlySet<number>;

export const omitNothing: Omit = new Set();

/**
 * The line cut at its last bracket pair with content; `undefined` when there is none or nothing would be gained
 * (Black: _first_right_hand_split).
 *
 * @param endsLine whether the line is not needed any more. Of a chain of calls each head is split again: were all its
 *   leaves looked at each time, a chain would take the square of its length.
 */
export function firstRightHandSplit(
  line: Line,
  omit: Omit = omitNothing,
  endsLine = false,
): BracketSplit | undefined {
  const { tree, leaves } = line;
  let close = leaves.length - 1;
  let open = -1;
  for (; close >= 0; close--) {
    const leaf = leaves[close]!;
    if (!isClosingBracket(tree.kind[leaf]!) || omit.has(leaf)) continue;
    open = openingIndex(leaves, tree.mate[leaf]!, close);
    if (open === -1) return undefined;
    if (open < close - 1) break;
    // Nothing between the two: they stay in the tail.
    close = open;
  }
  if (close < 0) return undefined;
  const openingBracket = leaves[open]!;
  const closingBracket = leaves[close]!;
  const hugged = hasPreview(line.mode, Preview.hug_parens_with_braces_and_square_brackets)
    ? hugBrackets(line, open, close)
    : undefined;
  // Hugging moves the cuts inwards, towards the brackets inside.
  const start = hugged === undefined ? open + 1 : hugged.start;
  const end = hugged === undefined ? close : hugged.end;
  const body = hugged === undefined ? buildBody(leaves, start, end, line, openingBracket) : hugged.body;
  const tail = buildTail(leaves, end, line);
  if (!bracketSplitSucceeded(body, tail)) return undefined;
  const head =
    endsLine && hugged === undefined && omit.size === 0 && line.hasTrackedHead
      ? line.takeHead(start)
      : buildHead(leaves, start, line);
  return { head, body, tail, openingBracket, closingBracket };
}

/** Index of `opening` before `close`, -1 when it is not on the line. */
function openingIndex(leaves: readonly number[], opening: number, close: number): number {
  if (opening === NONE) return -1;
  let at = close - 1;
  while (at >= 0 && leaves[at] !== opening) at--;
  return at;
}
