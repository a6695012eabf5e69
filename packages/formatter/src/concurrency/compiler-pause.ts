import { isOff } from "../util/speed-paths.ts";
import { hasMaglev } from "./maglev.ts";

/** So many files are looked at for longer than it takes to load what sets V8's options. */
const ARGUMENTS_WORTH_A_PAUSE = 400;

/** V8's names of those that compile in threads of their own. */
const COMPILERS = ["maglev", "opt"] as const;

/** Those that were not off already. */
const paused: string[] = [];

/**
 * Keeps V8's optimizing compilers out while a run looks at many named files, of which mostly none has to be formatted:
 * a quarter of such a run is what they compile in other threads, and it is over before that is of any use.
 */
export function pauseCompilers(argumentCount: number): void {
  if (argumentCount < ARGUMENTS_WORTH_A_PAUSE || paused.length > 0 || !hasMaglev() || isOff("compiler-pause"))
    return;
  const { cachedDataVersionTag, setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const compiler of COMPILERS) {
    const tag = cachedDataVersionTag();
    setFlagsFromString(`--no-${compiler}`);
    if (cachedDataVersionTag() !== tag) paused.push(compiler);
  }
}

/** Before anything is formatted: V8 takes stored code only under the options under which it was stored. */
export function resumeCompilers(): void {
  for (const compiler of paused.splice(0))
    process.getBuiltinModule("node:v8").setFlagsFromString(`--${compiler}`);
}
