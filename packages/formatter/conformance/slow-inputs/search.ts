import type { SearchLog } from "./log.ts";
import { modes, shapes } from "./shapes.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** Bytes of a text and the CPU time that it may take, in ms. */
interface Size {
  readonly bytes: number;
  readonly limitMs: number;
}

const SMALL: Size = { bytes: 4_096, limitMs: 1_000 };
/** Between the two: how the time grows from the small one tells what the large one takes. */
const MEDIUM: Size = { bytes: 16_384, limitMs: 4_000 };
const LARGE: Size = { bytes: 102_400, limitMs: 10_000 };

/** Twice the text may take so many times as long; what takes more is tried in the large size. */
const GROWTH_LIMIT = 2.6;
/** In the medium size: less than this, and not even the cube of the length is too much; more, and the square may be. */
const SURELY_QUICK_MS = 30;
const PERHAPS_SLOW_MS = 250;

/** A prime that divides no number of combinations. */
const STRIDE = 7919;

/** One shape in one style. */
interface Combination {
  readonly index: number;
  readonly shape: string;
  readonly mode: string;
}

/** A time in a size, of which there is more than it may be. */
interface Slow extends Combination {
  readonly bytes: number;
  readonly time: number;
}

/** What a search has found, of all that it and the earlier runs in its log have tried. */
export interface Found {
  readonly total: number;
  /** Measured in the small and the medium size. */
  readonly small: number;
  /** Those whose time grows so fast that they are tried in the large size, and those of them that were. */
  readonly suspicious: number;
  readonly large: number;
  readonly slow: readonly Slow[];
}

/**
 * Measures every combination in two sizes, and in the large one those that grow too fast or are slow already.
 *
 * @param until when to stop, as `Date.now()` has it
 * @param onProgress takes a line about how far the search is, or what it has found
 */
export async function search(
  only: string,
  until: number,
  log: SearchLog,
  stopwatch: Stopwatch,
  onProgress: (text: string) => void,
): Promise<Found> {
  const slow: Slow[] = [];
  const timeOf = async (combination: Combination, size: Size): Promise<number | undefined> => {
    const { index, shape, mode } = combination;
    let time = log.timeOf(shape, mode, size.bytes);
    if (time === undefined) {
      if (Date.now() >= until) return undefined;
      const task = { shape: index, mode, bytes: size.bytes, fast: mode === "-l 1" };
      time = await stopwatch.measure(task, size.limitMs);
      // Once more before it counts: the first run of a path is compiled, and collections of earlier garbage fall anywhere.
      if (time > size.limitMs && Number.isFinite(time)) time = await stopwatch.measure(task, size.limitMs);
      log.add(shape, mode, size.bytes, time);
    }
    if (size !== MEDIUM && time > size.limitMs) {
      slow.push({ ...combination, bytes: size.bytes, time });
      onProgress(`slow: ${describe(slow.at(-1)!)}`);
    }
    return time;
  };
  const all = scattered(combinations(only));
  const suspicious: Combination[] = [];
  let small = 0;
  for (const combination of all) {
    const short = await timeOf(combination, SMALL);
    const long = short === undefined ? undefined : await timeOf(combination, MEDIUM);
    if (short === undefined || long === undefined) break;
    if (isSuspicious(short, long)) suspicious.push(combination);
    if (++small % 1_000 === 0)
      onProgress(`${small} of ${all.length}, ${suspicious.length} of them suspicious`);
  }
  let large = 0;
  for (const combination of suspicious) {
    if ((await timeOf(combination, LARGE)) === undefined) break;
    if (++large % 100 === 0) onProgress(`${large} of ${suspicious.length} suspicious ones`);
  }
  return { total: all.length, small, suspicious: suspicious.length, large, slow };
}

/** Whether what takes these times in the small and the medium size may take too long in the large one. */
function isSuspicious(small: number, medium: number): boolean {
  if (medium < SURELY_QUICK_MS) return false;
  const doublings = Math.log2(MEDIUM.bytes / SMALL.bytes);
  return medium > PERHAPS_SLOW_MS || (medium / Math.max(small, 1)) ** (1 / doublings) > GROWTH_LIMIT;
}

function describe({ time, bytes, mode, shape }: Slow): string {
  const text = Number.isFinite(time) ? `${time.toFixed(0)} ms` : "given up";
  return `${text.padStart(9)}  ${bytes} bytes  ${mode}  ${shape}`;
}

function combinations(only: string): Combination[] {
  return shapes.flatMap(({ name }, index) =>
    name.includes(only) ? Object.keys(modes).map((mode) => ({ index, shape: name, mode })) : [],
  );
}

/** All of them in an order in which the first ones, where the time ends early, are of all kinds. */
function scattered<T>(items: readonly T[]): T[] {
  return items.map((_, index) => items[(index * STRIDE) % items.length]!);
}
