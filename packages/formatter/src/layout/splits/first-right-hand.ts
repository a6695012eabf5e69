import { BracketTracker } from "../../lines/brackets.ts";
import type { Line } from "../../lines/line.ts";
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { isClosingBracket, isOpeningBracket } from "../../syntax/kinds.ts";
import { ensureVisible } from "../../syntax/parentheses.ts";
import { isBracket } from "../../syntax/predicates/brackets.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { BracketSplit, bracketSplitSucceeded, type SplitSearch } from "./bracket-split.ts";
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
export class RightHandSplits implements SplitSearch {
  readonly line: Line;
  readonly #made = new Map<number, BracketSplit | undefined>();
  /** Pairs whose content has the depths of a body's leaves; in the line they are deeper. */
  #bodies: BracketSplit[] = [];
  /** Where the first of their closing brackets stands. */
  #firstClose = Number.POSITIVE_INFINITY;
  /** Splits whose brackets are printed since the line was made. */
  readonly #shown: BracketSplit[] = [];
  #isChained: boolean | undefined = undefined;

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

  /**
   * The split at the pair that ends in `closing`, one that has been found before.
   *
   * @param from index before which the closing bracket does not stand
   */
  of(closing: number, from: number): BracketSplit {
    const { tree, leaves } = this.line;
    const close = leaves.indexOf(closing, from);
    return this.#made.get(close) ?? this.#at(leaves.lastIndexOf(tree.mate[closing]!, close), close)!;
  }

  get isChainedAssignment(): boolean {
    this.#isChained ??= this.line.isChainedAssignment();
    return this.#isChained;
  }

  /** The brackets of `split` are printed from now on, which other splits may depend on. */
  show(split: BracketSplit): void {
    const { tree } = this.line;
    if (tree.textLength(split.openingBracket) > 0 && tree.textLength(split.closingBracket) > 0) return;
    ensureVisible(tree, split.openingBracket);
    ensureVisible(tree, split.closingBracket);
    this.#shown.push(split);
    this.#made.clear();
  }

  /** Has the head of a split take the line's leaves, if it can. It comes out as if it had been made leaf by leaf. */
  giveHead(split: BracketSplit): void {
    if (!this.line.hasTrackedHead) return;
    const { tree, leaves } = this.line;
    const { open, close } = split;
    // The other half of a pair that holds the split is not in the head. Right before the split that is nothing but a bracket
    // without a mate; further left, leaves of the head are less deep then.
    let first = open;
    while (first > 0 && holds(tree, leaves, first - 1, close)) first--;
    if (this.#bodies.some((body) => body.open < first && body.close > close)) return;
    // Parentheses in them seem to be outside brackets.
    if (this.#bodies.some((body) => body.close < open && this.#hasInvisible(body)))
      this.line.tracker.forgetOutermost();
    split.giveHead(first);
  }

  /**
   * Black makes the head and then the body of each split that it looks at, and either notes how deep its leaves are.
   * The splits looked at later go by that, so that the same is noted here, in the same order.
   */
  #at(open: number, close: number): BracketSplit | undefined {
    this.#markHead(open);
    const known = this.#made.has(close);
    const split = known ? this.#made.get(close) : this.#make(open, close);
    if (split === undefined) return undefined;
    if (known) mark(this.line, open, close, 0);
    this.#bodies.push(split);
    this.#firstClose = Math.min(this.#firstClose, close);
    return split;
  }

  #make(open: number, close: number): BracketSplit | undefined {
    const split = makeSplit(this.line, open, close);
    split.search = this;
    split.shownBefore = this.#shown.length;
    const made = bracketSplitSucceeded(split) ? split : undefined;
    // Among comments it matters how deep the leaves of a body were when they were added to a line last.
    if (this.line.comments === undefined) this.#made.set(close, made);
    return made;
  }

  shownBefore({ open, shownBefore }: BracketSplit): number[] {
    return bracketsWithin(this.#shown.slice(0, shownBefore), open);
  }

  /** Brings a head up to date that is made later than in Black, which has looked at other splits since. */
  afterHead({ open, shownBefore }: BracketSplit, head: Line): void {
    for (const body of this.#bodies) if (body.close < open) mark(this.line, body.open, body.close, 0);
    if (this.#shown.length > shownBefore)
      head.tracker.printed = bracketsWithin(this.#shown.slice(shownBefore), open);
  }

  #hasInvisible({ open, close }: BracketSplit): boolean {
    const { tree, leaves } = this.line;
    for (let i = open + 1; i < close; i++)
      if (tree.textLength(leaves[i]!) === 0 && isBracket(tree.kind[leaves[i]!]!)) return true;
    return false;
  }

  /** Marks what bodies have marked of the leaves before index `end` as leaves of the line again. */
  #markHead(end: number): void {
    // A search goes from right to left: it would look at all brackets that it has passed over, for each next one.
    if (this.#firstClose >= end) return;
    const { tree, leaves } = this.line;
    let done = -1;
    for (const { open, close } of this.#bodies.toSorted((a, b) => a.open - b.open)) {
      if (close >= end || close < done) continue;
      mark(this.line, open, close, tree.depth[leaves[open]!]! + 1);
      done = close;
    }
    this.#bodies = this.#bodies.filter(({ close }) => close >= end);
    this.#firstClose = this.#bodies.reduce(
      (first, { close }) => Math.min(first, close),
      Number.POSITIVE_INFINITY,
    );
  }
}

/** Whether the leaf at an index opens a pair that closes behind index `close`. */
function holds(tree: Tree, leaves: readonly number[], at: number, close: number): boolean {
  if (!isOpeningBracket(tree.kind[leaves[at]!]!)) return false;
  const mate = tree.mate[leaves[at]!]!;
  return mate !== NONE && leaves.indexOf(mate, close + 1) !== -1;
}

/** The brackets of splits that stand before index `end`. */
function bracketsWithin(splits: readonly BracketSplit[], end: number): number[] {
  return splits
    .filter(({ close }) => close < end)
    .flatMap(({ openingBracket, closingBracket }) => [openingBracket, closingBracket]);
}

/** Marks what the pair holds: leaves at its own level are `depth` deep. */
function mark({ tree, leaves }: Line, open: number, close: number, depth: number): void {
  const tracker = new BracketTracker(tree);
  for (let i = open + 1; i < close; i++) {
    tracker.mark(leaves[i]!);
    tree.depth[leaves[i]!]! += depth;
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
