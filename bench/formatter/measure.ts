import { spawnSync } from "node:child_process";

/** What one run took, in seconds. */
export interface Timing {
  readonly wall: number;
  /** User and system time of the program and its threads and children. */
  readonly cpu: number;
}

/** Runs a command once and times it; its output is dropped and its exit code does not matter (1 means "would change"). */
export function measure(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Timing {
  const script = `TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1`;
  const done = spawnSync("bash", ["-c", script, "bash", ...command], {
    env: { ...process.env, ...environment },
  });
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = done.stderr
    .toString()
    .trim()
    .split(" ")
    .map(Number);
  return { wall, cpu: user + system };
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that so large a part of all is below, from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
}
