import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** How much less of a core than the main thread's this thread is given where both want one: about a quarter. */
const LOWER = 5;
const LOWEST = 19;

/** Milliseconds of work at a time, and of rest behind them. */
const WORK = 0.5;
const REST = 1;

/**
 * Gives the other threads of this process the first turn wherever cores are few. Linux has a priority for each thread; elsewhere
 * it would be the whole process's, and stays.
 */
export function yieldToCallers(): void {
  if (process.platform !== "linux") return;
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, Math.min(getPriority(thread) + LOWER, LOWEST));
  } catch {
    // Without /proc, or where a sandbox forbids it, this thread is one like the others.
  }
}

/**
 * Cuts long work into short pieces: a thread keeps a core for some milliseconds once it has it, and whoever is to run on this
 * core meanwhile waits for that long.
 */
export class ShortTurns {
  readonly #cell = new Int32Array(new SharedArrayBuffer(4));
  #since = performance.now();

  /** Work begins after some time without any. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Rests where this thread has worked for long enough; only this thread stands still meanwhile. */
  restIfDue(): void {
    if (performance.now() - this.#since < WORK) return;
    Atomics.wait(this.#cell, 0, 0, REST);
    this.#since = performance.now();
  }
}
