import type { Measurement, SearchLog } from "./log.ts";
import { shapes, styles } from "./shapes.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** Bytes of a text, and the CPU time in ms after which it is given up. */
interface Size {
  readonly bytes: number;
  readonly limitMs: number;
}

/** What the search is for: no text of these sizes may take longer. */
const SMALL: Size = { bytes: 4_096, limitMs: 1_000 };
const LARGE: Size = { bytes: 102_400, limitMs: 10_000 };

/** How the time grows between two of these tells whether the large one need be tried. */
const HALF: Size = { bytes: 2_048, limitMs: 1_000 };
const MIDDLE: Size = { bytes: 16_384, limitMs: 10_000 };

/** What takes less in the small size is quick in the large one, even if time grew with the power 2.4 of the length. */
const SURELY_QUICK_MS = LARGE.limitMs / (LARGE.bytes / SMALL.bytes) ** 2.4;

/** How much faster a time may grow to the large size than between two smaller ones, in powers of the length. */
const FURTHER_GROWTH = 0.5;
const HIGHEST_POWER = 3;

/** A prime that divides no number of shapes. */
const STRIDE = 7919;

/** One shape in one style. */
interface Combination {
  readonly index: number;
  readonly shape: string;
  readonly style: string;
}

/** A time in a size, of which there is more than it may be. */
interface Slow extends Combination {
  readonly bytes: number;
  readonly time: number;
}

/** What a search has found, of all that it and the earlier runs in its log have tried. */
export interface Found {
  /** How many there are, and how many of them the parser refuses. */
  readonly shapes: number;
  readonly refused: number;
  /** Combinations measured in small sizes, those of refused shapes among them. */
  readonly small: number;
  /** Combinations whose time grows so fast that larger sizes are tried, and those of them that have been. */
  readonly suspicious: number;
  readonly large: number;
  readonly slow: readonly Slow[];
}

/** What a search needs beside its shapes. */
export interface Means {
  /** When to stop, as `Date.now()` has it. */
  readonly until: number;
  readonly log: SearchLog;
  /** As many as measure at the same time. */
  readonly stopwatches: readonly Stopwatch[];
  /** Takes a line about how far the search is, or what it has found. */
  readonly onProgress: (text: string) => void;
}

/**
 * Measures every shape in every style in small sizes, and in larger ones those that may take too long there. What the
 * parser refuses is measured in one style, in which it takes the same way as in the others, and as a notebook's cell.
 *
 * @param only part of the names of the shapes to try
 * @param chosen the styles to try them in
 */
export async function search(only: string, chosen: readonly string[], means: Means): Promise<Found> {
  const { onProgress, stopwatches } = means;
  const slow: Slow[] = [];
  const measureIn = async (combination: Combination, size: Size, stopwatch: Stopwatch) => {
    const measured = await measure(combination, size, stopwatch, means);
    // What has to be given up in another size is too slow as well.
    const limitMs = size === MIDDLE ? Number.MAX_VALUE : size.limitMs;
    if (measured !== undefined && measured.time > limitMs) {
      slow.push({ ...combination, bytes: size.bytes, time: measured.time });
      onProgress(`slow: ${describe(slow.at(-1)!)}`);
    }
    return measured;
  };

  const all = scattered([...shapes.keys()].filter((index) => shapes[index]!.name.includes(only)));
  const counts = { shapes: all.length, small: 0, suspicious: 0, large: 0 };
  const refused = new Set<number>();
  for (const style of chosen) {
    const { mode } = styles[style]!;
    const suspicious: { combination: Combination; small: Measurement }[] = [];
    counts.small += await takeInTurns(all, stopwatches, async (index, stopwatch, begun) => {
      if (begun % 100 === 0)
        onProgress(`${style}: ${begun} of ${all.length}, ${suspicious.length} suspicious`);
      if (refused.has(index) && !mode.isIpynb) return true;
      const combination = { index, shape: shapes[index]!.name, style };
      const small = await measureIn(combination, SMALL, stopwatch);
      if (small === undefined) return false;
      if (small.time < SURELY_QUICK_MS && !small.isRefused) return true;
      // What is refused for its depth is formatted in a smaller size.
      const half = await measureIn(combination, HALF, stopwatch);
      if (half === undefined) return false;
      if (half.isRefused) refused.add(index);
      if (mayBeTooSlow(HALF, half, SMALL, small)) suspicious.push({ combination, small });
      return true;
    });
    counts.suspicious += suspicious.length;
    counts.large += await takeInTurns(suspicious, stopwatches, async (one, stopwatch, begun) => {
      const { combination, small } = one;
      if (begun % 20 === 0) onProgress(`${style}: ${begun} of ${suspicious.length} suspicious`);
      const middle = await measureIn(combination, MIDDLE, stopwatch);
      if (middle === undefined) return false;
      if (!mayBeTooSlow(SMALL, small, MIDDLE, middle)) return true;
      return (await measureIn(combination, LARGE, stopwatch)) !== undefined;
    });
  }
  return { ...counts, refused: refused.size, slow };
}

/**
 * Has each worker take the next item as soon as it is done with one, until none is left or `work` returns false.
 *
 * @param work is told, of the item, how many have been begun with it
 * @returns how many items are done
 */
async function takeInTurns<Item, Worker>(
  items: readonly Item[],
  workers: readonly Worker[],
  work: (item: Item, worker: Worker, begun: number) => Promise<boolean>,
): Promise<number> {
  let begun = 0;
  let done = 0;
  const takeAll = async (worker: Worker): Promise<void> => {
    while (begun < items.length) {
      const item = items[begun++]!;
      if (!(await work(item, worker, begun))) return;
      done++;
    }
  };
  await Promise.all(workers.map(takeAll));
  return done;
}

/** Measures now or looks it up in the log; `undefined` when the time is over. */
async function measure(
  { index, shape, style }: Combination,
  { bytes, limitMs }: Size,
  stopwatch: Stopwatch,
  { until, log }: Means,
): Promise<Measurement | undefined> {
  const known = log.find(shape, style, bytes);
  if (known !== undefined) return known;
  if (Date.now() >= until) return undefined;
  const task = { shape: index, style, bytes };
  let measured = await stopwatch.measure(task, limitMs);
  // Once more before it counts: the first run of a path is compiled, and collections of earlier garbage fall anywhere.
  if (measured.time > limitMs && Number.isFinite(measured.time))
    measured = await stopwatch.measure(task, limitMs);
  log.add(shape, style, bytes, measured);
  return measured;
}

/** Whether a text that takes these times in two sizes may take too long in the large one. */
function mayBeTooSlow(
  size: Size,
  { time }: Measurement,
  next: Size,
  { time: nextTime }: Measurement,
): boolean {
  const power = Math.log(nextTime / Math.max(time, 1)) / Math.log(next.bytes / size.bytes);
  const further = Math.min(power + FURTHER_GROWTH, HIGHEST_POWER);
  return nextTime * (LARGE.bytes / next.bytes) ** further > LARGE.limitMs;
}

function describe({ time, bytes, style, shape }: Slow): string {
  const text = Number.isFinite(time) ? `${time.toFixed(0)} ms` : "given up";
  return `${text.padStart(9)}  ${bytes} bytes  ${style}  ${shape}`;
}

/** All of them in an order in which the first ones, where the time ends early, are of all kinds. */
function scattered<T>(items: readonly T[]): T[] {
  return items.map((_, index) => items[(index * STRIDE) % items.length]!);
}
