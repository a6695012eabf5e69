import { UsageError } from "../mode/config/usage-error.ts";
import { pythonRepr } from "../util/python-repr.ts";

/** Ours, then Black's. */
const WORKER_VARIABLES = ["FORMATTER_NUM_WORKERS", "BLACK_NUM_WORKERS"] as const;

/** Threads to use for several files: those asked for, else one for each CPU. */
export function workerCount(chosen: number | undefined): number {
  return chosenWorkerCount(chosen) ?? process.getBuiltinModule("node:os").availableParallelism();
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
