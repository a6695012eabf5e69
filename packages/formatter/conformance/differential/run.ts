import { BlackProcess, type MadeCase, type Wish } from "../black-process.ts";
import type { Outcome } from "../compare.ts";
import type { Answer } from "../item.ts";
import { askAll, compareCase } from "./compare-case.ts";
import { ProductFiles } from "./format-file.ts";
import { type FoundCase, writeFound } from "./found-case.ts";
import { reduce } from "./reduce.ts";

/** How far a comparison goes. */
export interface RunOptions {
  readonly folder: string;
  readonly seed: number;
  readonly start: number;
  /** Cases to compare, unless the time is over before. */
  readonly count: number;
  readonly seconds: number;
  readonly makers: readonly string[];
  /** Where reduced cases are written. */
  readonly found: string;
  /** Cases that are reduced of each group of differences. */
  readonly examples: number;
  /** Ends the run before its time; what it has compared counts. */
  readonly signal: AbortSignal;
}

/** What came of a run. */
export interface RunResult {
  readonly compared: number;
  /** Sources that Black refused, of those compared. */
  readonly refused: number;
  readonly known: Readonly<Record<string, number>>;
  readonly groups: ReadonlyMap<string, Group>;
  /** Cases of each maker. */
  readonly made: Readonly<Record<string, number>>;
  /** The Python that ran Black. */
  readonly python: string;
  /** The longest time that the product took for one case. */
  readonly slowestMs: number;
}

/** Differences that look alike. */
interface Group {
  count: number;
  readonly examples: {
    readonly number: number;
    readonly reduced: FoundCase;
    readonly path: string;
    readonly detail: string;
  }[];
}

const BATCH = 50;
/** Cases between two words about how far a run is. */
const PROGRESS = 1_000;

/** Makes cases, asks Black and the product, and reduces what differs. */
export async function run(options: RunOptions, onProgress: (text: string) => void): Promise<RunResult> {
  const black = new BlackProcess();
  const product = new ProductFiles();
  const comparison = new Differential(black, product, options, onProgress);
  try {
    await comparison.run();
  } finally {
    black.close();
    product.close();
  }
  return comparison.result();
}

/** Differences that are gone when Black is asked again: what stands for a magic there is drawn by lot. */
const CHANCE = "another answer of Black's when it is asked again";

interface Batch {
  readonly cases: readonly MadeCase[];
  readonly answers: readonly Answer[];
}

class Differential {
  readonly #black: BlackProcess;
  readonly #product: ProductFiles;
  readonly #options: RunOptions;
  readonly #onProgress: (text: string) => void;
  readonly #known: Record<string, number> = {};
  readonly #made: Record<string, number> = {};
  readonly #groups = new Map<string, Group>();
  #compared = 0;
  #refused = 0;
  #slowestMs = 0;

  constructor(
    black: BlackProcess,
    product: ProductFiles,
    options: RunOptions,
    onProgress: (text: string) => void,
  ) {
    this.#black = black;
    this.#product = product;
    this.#options = options;
    this.#onProgress = onProgress;
  }

  async run(): Promise<void> {
    const { start, count, seconds } = this.#options;
    const end = Date.now() + seconds * 1000;
    let pending = this.#batch(start);
    for (let at = start; at < start + count; ) {
      const batch = await pending;
      at += BATCH;
      const isLast = at >= start + count || Date.now() >= end || this.#options.signal.aborted;
      // Black works on the next batch while the product does on this one, unless its cases must be reduced.
      if (!isLast) pending = this.#batch(at);
      const different = this.#compare(batch);
      if (different.length > 0 && !isLast) await pending;
      for (const one of different) await this.#examine(one.case, one.outcome);
      if (isLast) return;
    }
  }

  result(): RunResult {
    return {
      compared: this.#compared,
      refused: this.#refused,
      known: this.#known,
      made: this.#made,
      groups: this.#groups,
      python: this.#black.python,
      slowestMs: this.#slowestMs,
    };
  }

  async #batch(at: number): Promise<Batch> {
    const { folder, seed, start, count, makers } = this.#options;
    const wish: Wish = { folder, seed, start: at, count: Math.min(BATCH, start + count - at), makers };
    const cases = await this.#black.make(wish);
    return { cases, answers: await askAll(cases, this.#black) };
  }

  #compare({ cases, answers }: Batch): { case: MadeCase; outcome: Different }[] {
    const different: { case: MadeCase; outcome: Different }[] = [];
    cases.forEach((one, index) => {
      const answer = answers[index]!;
      const began = performance.now();
      const { outcome } = compareCase(one, answer, this.#product);
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - began);
      this.#compared++;
      this.#made[one.maker] = (this.#made[one.maker] ?? 0) + 1;
      if (this.#compared % PROGRESS === 0) this.#onProgress(`${this.#compared} cases`);
      if ("refusal" in answer) this.#refused++;
      if (outcome.kind === "known") this.#known[outcome.name] = (this.#known[outcome.name] ?? 0) + 1;
      else if (outcome.kind === "different") different.push({ case: one, outcome });
    });
    return different;
  }

  /** Notes a difference; the first ones of each group are reduced and written out. */
  async #examine(made: MadeCase, { group: name, detail }: Different): Promise<void> {
    const [again] = await askAll([made], this.#black);
    if (compareCase(made, again!, this.#product).outcome.kind !== "different") {
      this.#known[CHANCE] = (this.#known[CHANCE] ?? 0) + 1;
      return;
    }
    const group = this.#groups.get(name) ?? { count: 0, examples: [] };
    this.#groups.set(name, group);
    group.count++;
    if (group.examples.length >= this.#options.examples) return;
    const { number, maker: _, ...whole } = made;
    let last = { black: undefined as Answer | undefined, detail };
    const reduced = await reduce(whole, async (candidates) => {
      const answers = await askAll(candidates, this.#black);
      return candidates.map((candidate, index) => {
        const { outcome } = compareCase(candidate, answers[index]!, this.#product);
        return outcome.kind === "different" && kindOfGroup(outcome.group) === kindOfGroup(name);
      });
    });
    const [black] = await askAll([reduced], this.#black);
    const { outcome } = compareCase(reduced, black!, this.#product);
    last = { black, detail: outcome.kind === "different" ? outcome.detail : detail };
    const found = { case: reduced, black: last.black! };
    const path = writeFound(this.#options.found, found);
    group.examples.push({ number, reduced: found, path, detail: last.detail });
    this.#onProgress(
      `case ${number}: ${name}\n  ${JSON.stringify(reduced)}\n${last.detail.replace(/^/gm, "    ")}\n  kept in ${path}`,
    );
  }
}

type Different = Extract<Outcome, { kind: "different" }>;

/** Texts may differ in another line as they get shorter; refusals stay those of the same two checks. */
function kindOfGroup(group: string): string {
  return group.includes(", here ") ? group : "texts";
}
