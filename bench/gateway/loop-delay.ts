import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** How late timers came on the gateway's main thread, in milliseconds. */
interface Delays {
  readonly p99: number;
  readonly p999: number;
  /** The longest turn of the event loop. */
  readonly max: number;
}

/** What the gateway says when it is asked. */
export interface LoopDelay {
  /** Since it was last asked. */
  readonly since: Delays;
  readonly all: Delays;
}

/** Milliseconds between two looks; what is recorded has them in it. */
const RESOLUTION = 1;

// Loaded into the gateway before anything of it: each SIGUSR2 has it append what it has seen to a file.
const file = process.env.LOOP_DELAY_FILE;
if (file !== undefined && isMainThread) {
  const since = monitorEventLoopDelay({ resolution: RESOLUTION });
  const all = monitorEventLoopDelay({ resolution: RESOLUTION });
  since.enable();
  all.enable();
  process.on("SIGUSR2", () => {
    const delay: LoopDelay = { since: delaysOf(since), all: delaysOf(all) };
    since.reset();
    appendFileSync(file, `${JSON.stringify(delay)}\n`);
  });
}

function delaysOf(histogram: ReturnType<typeof monitorEventLoopDelay>): Delays {
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION);
  const { max } = histogram;
  return { p99: late(histogram.percentile(99)), p999: late(histogram.percentile(99.9)), max: late(max) };
}
