import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of passing data after which the young garbage, mostly buffers outside the heap, is let go. */
const MINOR_EVERY = 4 * 1024 * 1024;
/** Bytes of passing data after which the whole memory is looked at. */
const MAJOR_EVERY = 8 * MINOR_EVERY;
/** Growth that makes a whole collection worth its time, in bytes. */
const WORTH_COLLECTING = 24 * 1024 * 1024;
/** Bytes of the young generation beyond which it grows no more under bulk work. */
const ENOUGH_YOUNG = 12 * 1024 * 1024;
/** Milliseconds without passing data after which the bulk work counts as over. */
const OVER_AFTER = 2000;

type Collect = (options: { type: "major" | "minor"; execution: "sync" | "async" }) => unknown;

/**
 * Keeps memory flat while much data passes. V8 sizes its old generation by the machine's memory and collects it only
 * after hundreds of megabytes of garbage; bulk work that nobody waits for can afford to collect earlier. It doubles its
 * young generation up to 48 MB under such work, where that saves next to no time; so it stops growing earlier.
 */
export class MemoryKeeper {
  readonly #collect: Collect;
  #passed = 0;
  readonly #atStart = process.memoryUsage.rss();
  #bounded: NodeJS.Timeout | undefined;

  constructor() {
    setFlagsFromString("--expose-gc");
    this.#collect = runInNewContext("gc") as Collect;
    setFlagsFromString("--no-expose-gc");
  }

  /** Told of each piece of data that was worked on. */
  passed(bytes: number): void {
    const before = this.#passed;
    this.#passed += bytes;
    if (Math.floor(before / MINOR_EVERY) === Math.floor(this.#passed / MINOR_EVERY)) return;
    this.#boundYoungGeneration();
    this.#collect({ type: "minor", execution: "sync" });
    if (Math.floor(before / MAJOR_EVERY) === Math.floor(this.#passed / MAJOR_EVERY)) return;
    if (process.memoryUsage.rss() - this.#atStart > WORTH_COLLECTING)
      this.#collect({ type: "major", execution: "sync" });
  }

  /** Growth ends at a size that serves bulk work well; V8 shrinks the generation itself in idle times. */
  #boundYoungGeneration(): void {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    setYoungGrowth((young?.space_size ?? 0) >= ENOUGH_YOUNG ? 1 : 2);
    this.#bounded ??= setTimeout(() => {
      this.#bounded = undefined;
      setYoungGrowth(2);
    }, OVER_AFTER).unref();
    this.#bounded.refresh();
  }
}

/** V8 looks at the factor whenever it is about to grow. */
function setYoungGrowth(factor: 1 | 2): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
