import { isOff } from "../util/speed-paths.ts";
import { hasMaglev } from "./maglev.ts";

/**
 * V8 optimizes with two compilers, Maglev and then TurboFan. TurboFan's code is about a tenth faster, but to make it
 * takes a fifth of all CPU time over 18 MB of source, and that again in each thread. A function that has been called so
 * often is worth it (V8's own number: 3000).
 */
const CALLS_WORTH_TURBOFAN = 2_000_000;

let isDelayed = false;

/**
 * Keeps TurboFan out, in this thread and all others, until functions are called very often. For a run that has much to
 * format, once, after the formatter is loaded: to load what sets it takes some ms, which small runs do without.
 */
export function delayTurbofan(): void {
  if (isDelayed || !hasMaglev() || isOff("turbofan-delay")) return;
  isDelayed = true;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_WORTH_TURBOFAN}`);
}

/** Whether V8 runs with settings of ours, under which it takes no code that was compiled without them. */
export function isTurbofanDelayed(): boolean {
  return isDelayed;
}
