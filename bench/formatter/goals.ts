import { median } from "../statistics.ts";
import { emptyContestant } from "./contestants.ts";
import type { Timing } from "./measure.ts";
import type { Promised } from "./promises.ts";

/** Timings by the names of the programs; Ruff comes first. */
type Timings = ReadonlyMap<string, readonly Timing[]>;

const EMPTY_SCRIPT = emptyContestant().name;

/** Black takes so many times the CPU time that Jetblack takes with one thread, at the least. */
const LEAST_TIMES_BLACK = 80;

/** Runs over a whole tree without a cache. Black is there only if it has been asked for. */
export function coldGoals(tree: string, timings: Timings): Promised[] {
  const goals = [
    times(
      `${tree}: wall, all cores, Ruff's = 1`,
      1,
      wallOf(timings, "Jetblack, 2 threads"),
      ruffOf(timings, wallOf),
    ),
    times(
      `${tree}: CPU with \`--fast\` on one thread, Ruff's = 1`,
      1,
      cpuOf(timings, "Jetblack --fast, 1 thread"),
      ruffOf(timings, cpuOf),
    ),
  ];
  const black = [...timings.keys()].find((name) => /^Black [\d.]+, 1 process$/.test(name));
  if (black !== undefined)
    goals.push({
      what: `${tree}: CPU on one thread, of Black's`,
      measured: (100 * cpuOf(timings, "Jetblack, 1 thread")) / cpuOf(timings, black),
      atMost: 100 / LEAST_TIMES_BLACK,
      unit: "%",
    });
  return goals;
}

/** Runs over a tree that is in the cache. */
export function warmGoals(
  tree: string,
  {
    unchanged,
    unchangedNamed,
    changed,
  }: Readonly<Record<"unchanged" | "unchangedNamed" | "changed", Timings>>,
): Promised[] {
  const start = wallOf(unchanged, EMPTY_SCRIPT);
  return [
    times(
      `${tree}, unchanged: wall, Ruff's and Node.js's own start = 1`,
      1,
      wallOf(unchanged, "Jetblack"),
      ruffOf(unchanged, wallOf) + start,
    ),
    times(
      `${tree}, files named: wall, Ruff's = 1`,
      1.5,
      wallOf(unchangedNamed, "Jetblack"),
      ruffOf(unchangedNamed, wallOf),
    ),
    times(
      `${tree}, one file changed: wall, Ruff's = 1`,
      1.5,
      wallOf(changed, "Jetblack"),
      ruffOf(changed, wallOf),
    ),
  ];
}

/** Runs over one small file. */
export function smallFileGoals(timings: Timings): Promised[] {
  const [ours, empty] = [wallOf(timings, "Jetblack, 1 thread"), wallOf(timings, EMPTY_SCRIPT)];
  return [times("five lines: wall, an empty script's = 1", 1.4, ours, empty)];
}

function times(what: string, atMost: number, ours: number, reference: number): Promised {
  return { what, measured: ours / reference, atMost, unit: "times" };
}

function wallOf(timings: Timings, name: string): number {
  return median(timings.get(name)!.map(({ wall }) => wall));
}

function cpuOf(timings: Timings, name: string): number {
  return median(timings.get(name)!.map(({ cpu }) => cpu));
}

function ruffOf(timings: Timings, of: typeof wallOf): number {
  return of(timings, [...timings.keys()][0]!);
}
