import { statSync } from "node:fs";

/**
 * What is at a path, as numbers; `undefined` when nothing is there or it may not be looked at. They change with the next
 * call: a run over an unchanged tree does little else, and to copy them takes as long as all other steps of ours.
 */
export type StatReader = (path: string) => ArrayLike<number> | undefined;

/** Positions in the numbers: those of Node's `FillStatsArray` (node: `src/node_file-inl.h`). */
export const DEVICE = 0;
export const INODE = 7;
/** In bytes. */
export const SIZE = 8;
/** Seconds since 1970, and behind them the nanoseconds; so is the next. */
export const MODIFIED = 12;
export const CHANGED = 14;

const USED = [DEVICE, INODE, SIZE, MODIFIED, MODIFIED + 1, CHANGED, CHANGED + 1];

/** Node's own function below `fs.statSync`. */
export type NativeStat = (
  path: string,
  wantsBigInts: boolean,
  request: undefined,
  throwsIfMissing: boolean,
) => ArrayLike<number> | undefined;

/** A time of the numbers in ms since 1970, with fractions: the very number that `fs.Stats` has. */
export function milliseconds(numbers: ArrayLike<number>, at: number): number {
  return numbers[at]! * 1000 + numbers[at + 1]! / 1_000_000;
}

/**
 * The fastest reader that can be trusted. `fs.statSync` makes an object of eighteen numbers for each path, which with
 * its garbage takes longer than the system call. Where Node lets us have the function below it, and that tells the same
 * of `probe`, the numbers are taken from there (ADR 2026-11-22-unchanged-trees).
 *
 * @param probe a path that exists.
 */
export function statReader(probe: string, stat: NativeStat | undefined = nativeStat()): StatReader {
  if (stat === undefined) return documentedReader;
  const expected = documentedReader(probe);
  const nativeReader: StatReader = (path) => {
    try {
      return stat(path, false, undefined, false);
    } catch {
      return undefined;
    }
  };
  const numbers = nativeReader(probe);
  if (expected === undefined || numbers === undefined) return documentedReader;
  return USED.every((at) => numbers[at] === expected[at]) ? nativeReader : documentedReader;
}

const NANOSECONDS = 1_000_000_000n;

function documentedReader(path: string): ArrayLike<number> | undefined {
  try {
    // Only so are seconds and nanoseconds told apart to the last digit.
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const numbers = new Float64Array(CHANGED + 2);
    numbers[DEVICE] = Number(stats.dev);
    numbers[INODE] = Number(stats.ino);
    numbers[SIZE] = Number(stats.size);
    numbers[MODIFIED] = Number(stats.mtimeNs / NANOSECONDS);
    numbers[MODIFIED + 1] = Number(stats.mtimeNs % NANOSECONDS);
    numbers[CHANGED] = Number(stats.ctimeNs / NANOSECONDS);
    numbers[CHANGED + 1] = Number(stats.ctimeNs % NANOSECONDS);
    return numbers;
  } catch {
    return undefined;
  }
}

/**
 * `process.binding` is deprecated in Node's documentation (DEP0111). It warns only those who ask for such warnings: who
 * runs Node with options of their own gets the documented way.
 */
function nativeStat(): NativeStat | undefined {
  const { NODE_OPTIONS, NODE_PENDING_DEPRECATION } = process.env;
  if (process.execArgv.length > 0 || NODE_OPTIONS || NODE_PENDING_DEPRECATION) return undefined;
  const { binding } = process as unknown as { binding?: (name: string) => { stat?: NativeStat } };
  try {
    return binding?.call(process, "fs").stat;
  } catch {
    return undefined;
  }
}
