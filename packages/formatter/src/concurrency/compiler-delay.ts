import { isOff } from "../util/speed-paths.ts";
import { hasMaglev } from "./maglev.ts";

/** So many files are looked at for longer than it takes to load what sets V8's options. */
const ARGUMENTS_WORTH_A_DELAY = 400;

/** V8's own numbers are 400, and 100 for a loop that still runs. */
const CALLS_WORTH_MAGLEV = 5000;

const OPTIONS = ["--invocation-count-for-maglev", "--invocation-count-for-maglev-osr"] as const;

/**
 * Whether this process's optimizing compilers wait longer than usual, because it looks at many named files, of which mostly
 * none has to be formatted: what they compile of such a run is done when the run is nearly over. A thread has the arguments
 * of its process.
 */
export function isCompilerDelayed(): boolean {
  return process.argv.length - 2 >= ARGUMENTS_WORTH_A_DELAY && hasMaglev() && !isOff("compiler-delay");
}

/** Sets V8's options for such a run: once, before anything is loaded. V8 takes no code that was stored under others. */
export function delayCompilers(): void {
  if (!isCompilerDelayed()) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const option of OPTIONS) setFlagsFromString(`${option}=${CALLS_WORTH_MAGLEV}`);
}
