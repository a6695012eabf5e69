import { UsageError } from "../mode/config/usage-error.ts";
import { pythonRepr } from "../util/python-repr.ts";

/** Ours, then Black's. */
const WORKER_VARIABLES = ["FORMATTER_NUM_WORKERS", "BLACK_NUM_WORKERS"] as const;

/**
 * Of two cores, V8's compilers keep one busy while a thread warms up: with fewer bytes than this to format, a run with a
 * second thread ends later, and takes up to half as much CPU time again.
 */
const BYTES_WORTH_BOTH_CORES = 8_000_000;

/**
 * Threads to use for several files: those asked for, else one for each CPU.
 *
 * @param bytes to format, as far as the files are found
 */
export function workerCount(chosen: number | undefined, bytes: number): number {
  return chosenWorkerCount(chosen) ?? defaultWorkerCount(bytes, availableCores());
}

let cores: number | undefined;

/** Asked for once: each time takes 8 µs, and the count is wanted again for every file that is found. */
function availableCores(): number {
  cores ??= process.getBuiltinModule("node:os").availableParallelism();
  return cores;
}

/** Threads where nobody asks for a number. */
export function defaultWorkerCount(bytes: number, cores: number): number {
  return cores === 2 && bytes < BYTES_WORTH_BOTH_CORES ? 1 : cores;
}

/**
 * What `--workers`, else the environment asks for.
 *
 * @throws {UsageError} when the variable holds no positive integer.
 */
export function chosenWorkerCount(
  chosen: number | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): number | undefined {
  if (chosen !== undefined) return chosen;
  for (const variable of WORKER_VARIABLES) {
    const text = environment[variable];
    if (text === undefined) continue;
    if (!/^\s*[+-]?\d+\s*$/.test(text))
      throw new UsageError(`Invalid value for ${variable}: ${pythonRepr(text)} is not a valid integer`);
    if (Number(text) < 1)
      throw new UsageError(`Invalid value for ${variable}: ${pythonRepr(text)} is not in the range x>=1`);
    return Number(text);
  }
  return undefined;
}
