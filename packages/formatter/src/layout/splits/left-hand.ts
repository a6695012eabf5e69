import type { Line } from "../../lines/line.ts";
import { isClosingBracket, Kind } from "../../syntax/kinds.ts";
import { ensureVisible } from "../../syntax/parentheses.ts";
import { NONE } from "../../syntax/tree.ts";
import { bracketSplitSucceeded, nonEmpty } from "./bracket-split.ts";
import { buildBody, buildHead, buildTail } from "./build-line.ts";

/** Where a split at the first bracket pair cuts the leaves. */
interface Cut {
  readonly head: number[];
  readonly body: number[];
  readonly tail: number[];
  readonly opening: number;
}

/**
 * Splits at the first bracket pair, which suits function definitions only: at the parameters, past any type
 * parameters, or else at those (Black: left_hand_split).
 */
export function leftHandSplit(line: Line): Line[] | undefined {
  let cut = cutAtFirst(line, Kind.LPAR);
  if (cut.opening === NONE || cut.tail.length === 0) cut = cutAtFirst(line, Kind.LSQB);
  if (cut.opening === NONE || cut.tail.length === 0) return undefined;
  const head = buildHead(cut.head, cut.head.length, line);
  const body = buildBody(cut.body, 0, cut.body.length, line, cut.opening);
  const tail = buildTail(cut.tail, 0, line);
  return bracketSplitSucceeded({ body, tail }) ? nonEmpty(head, body, tail) : undefined;
}

function cutAtFirst(line: Line, openingKind: number): Cut {
  const { tree, leaves } = line;
  const head: number[] = [];
  const body: number[] = [];
  const tail: number[] = [];
  let current = head;
  let opening: number = NONE;
  /** Square brackets open since the one at index 2, which begins type parameters. */
  let typeParameterDepth = 0;
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!;
    const kind = tree.kind[leaf]!;
    if (kind === Kind.LSQB && (i === 2 || typeParameterDepth > 0)) typeParameterDepth++;
    else if (kind === Kind.RSQB && typeParameterDepth > 0) typeParameterDepth--;
    const skipped = openingKind === Kind.LPAR && typeParameterDepth > 0;
    if (current === body && !skipped && isClosingBracket(kind) && tree.mate[leaf] === opening) {
      ensureVisible(tree, leaf);
      ensureVisible(tree, opening);
      current = body.length > 0 ? tail : head;
    }
    current.push(leaf);
    if (current === head && kind === openingKind && !skipped) {
      opening = leaf;
      current = body;
    }
  }
  return { head, body, tail, opening };
}
