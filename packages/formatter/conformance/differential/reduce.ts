import type { BlackOptions } from "../black-process.ts";
import type { Case } from "./case.ts";

/** Whether each of these smaller cases still shows the difference. */
export type StillDiffers = (cases: readonly Case[]) => Promise<readonly boolean[]>;

/** Enough for any case that was made; bounds the time of one that does not get smaller. */
const MAX_QUESTIONS = 4_000;
/** Candidates that are tried together: each batch is one exchange with Black. */
const BATCH = 16;

/**
 * Makes a case smaller while it still differs, by delta debugging (Zeller, Hildebrandt: Simplifying and isolating
 * failure-inducing input): options, then statements and lines, then tokens, then characters, until none can go.
 */
export async function reduce(start: Case, stillDiffers: StillDiffers): Promise<Case> {
  const search = new Search(start, stillDiffers);
  for (let size = Number.POSITIVE_INFINITY; search.size < size && !search.isSpent; ) {
    size = search.size;
    await search.dropOptions();
    for (const split of [intoBlocks, intoLines, intoTokens]) await search.dropPieces(split);
    await search.shortenTokens();
  }
  return search.best;
}

class Search {
  best: Case;
  #questions = 0;
  readonly #stillDiffers: StillDiffers;

  constructor(start: Case, stillDiffers: StillDiffers) {
    this.best = start;
    this.#stillDiffers = stillDiffers;
  }

  get size(): number {
    const { source, options, ranges, fast } = this.best;
    return source.length + Object.keys(options).length + ranges.length + (fast ? 1 : 0);
  }

  get isSpent(): boolean {
    return this.#questions >= MAX_QUESTIONS;
  }

  async dropOptions(): Promise<void> {
    for (const name of Object.keys(this.best.options) as (keyof BlackOptions)[]) {
      // Without it a cell would be another kind of file.
      if (name === "is_ipynb") continue;
      const { [name]: _, ...options } = this.best.options;
      await this.#firstOf([{ ...this.best, options }]);
    }
    await this.#firstOf([{ ...this.best, fast: false }]);
    if (this.best.ranges.length > 0) await this.#firstOf([{ ...this.best, ranges: [] }]);
    for (let at = this.best.ranges.length - 1; at >= 0 && this.best.ranges.length > 1; at--)
      await this.#firstOf([{ ...this.best, ranges: this.best.ranges.toSpliced(at, 1) }]);
  }

  /** Leaves out runs of pieces, long runs first. */
  async dropPieces(split: (source: string) => string[]): Promise<void> {
    let pieces = split(this.best.source);
    for (let run = Math.ceil(pieces.length / 2); run >= 1; run = run === 1 ? 0 : Math.ceil(run / 2)) {
      for (let at = 0; at < pieces.length && !this.isSpent; ) {
        const starts = Array.from({ length: BATCH }, (_, index) => at + index * run).filter(
          (start) => start < pieces.length,
        );
        const kept = await this.#firstOf(
          starts.map((start) => ({ ...this.best, source: pieces.toSpliced(start, run).join("") })),
        );
        if (kept === -1) at += starts.length * run;
        else {
          pieces = pieces.toSpliced(starts[kept]!, run);
          at = starts[kept]!;
        }
      }
    }
  }

  /** Short names and empty comments say as much as long ones. */
  async shortenTokens(): Promise<void> {
    const pieces = intoTokens(this.best.source);
    for (let at = 0; at < pieces.length && !this.isSpent; at++) {
      if (!/^\w{2,}$/.test(pieces[at]!)) continue;
      const candidates = ["a", pieces[at]!.slice(0, -1)].map((name) => pieces.with(at, name));
      const kept = await this.#firstOf(candidates.map((texts) => ({ ...this.best, source: texts.join("") })));
      if (kept !== -1) pieces[at] = candidates[kept]![at]!;
    }
  }

  /** Keeps the first of the cases that still differs; its index, or -1. */
  async #firstOf(cases: readonly Case[]): Promise<number> {
    const fresh = cases.filter((one) => JSON.stringify(one) !== JSON.stringify(this.best));
    if (fresh.length === 0) return -1;
    this.#questions += fresh.length;
    const answers = await this.#stillDiffers(fresh);
    const first = fresh[answers.indexOf(true)];
    if (first === undefined) return -1;
    this.best = first;
    return cases.indexOf(first);
  }
}

/** Lines with the deeper ones behind them: statements with their bodies. */
function intoBlocks(source: string): string[] {
  return source.split(/(?<=\n)(?=[^\s])/);
}

function intoLines(source: string): string[] {
  return source.split(/(?<=\n)/);
}

function intoTokens(source: string): string[] {
  return source.match(/\w+|[ \t]+|[\s\S]/gu) ?? [];
}
