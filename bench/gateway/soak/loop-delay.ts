import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** How late timers came on the gateway's main thread, in milliseconds. */
export interface LoopDelay {
  /** Since it was last asked for. */
  readonly since: { readonly p99: number; readonly p999: number };
  readonly all: { readonly p99: number; readonly p999: number; readonly max: number };
}

/** Milliseconds between two looks; what is recorded has them in it. */
const RESOLUTION = 1;

// Loaded into the gateway before anything of it: each SIGUSR2 has it append what it has seen to a file.
const file = process.env.SOAK_LOOP_DELAY;
if (file !== undefined && isMainThread) {
  const [since, all] = [1, 2].map(() => monitorEventLoopDelay({ resolution: RESOLUTION }));
  since!.enable();
  all!.enable();
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
  process.on("SIGUSR2", () => {
    const delay: LoopDelay = {
      since: { p99: late(since!.percentile(99)), p999: late(since!.percentile(99.9)) },
      all: { p99: late(all!.percentile(99)), p999: late(all!.percentile(99.9)), max: late(all!.max) },
    };
    since!.reset();
    appendFileSync(file, `${JSON.stringify(delay)}\n`);
  });
}
