import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Measurement } from "./log.ts";
import type { Task } from "./worker.ts";

/** A task is ended when it has had so many times the CPU time that it may take. */
const PATIENCE = 1.5;
/** How often a task's CPU time is looked at; on a crowded machine it says more than the time on the clock. */
const LOOK_MS = 500;

/** A thread that is given tasks one by one, and replaced when it does not come back. */
export class Stopwatch {
  #worker: Worker | undefined;

  /** Runs a task, and ends it when it takes too long. */
  async measure(task: Task, limitMs: number): Promise<Measurement> {
    this.#worker ??= await start();
    const worker = this.#worker;
    const before = await worker.cpuUsage();
    worker.postMessage(task);
    const late = new AbortController();
    const watch = setInterval(() => {
      const look = ({ user, system }: NodeJS.CpuUsage): void => {
        if ((user + system) / 1000 > limitMs * PATIENCE) late.abort();
      };
      // A thread that has died says so itself.
      worker.cpuUsage(before).then(look, () => {});
    }, LOOK_MS);
    try {
      const [measured] = await once(worker, "message", { signal: late.signal });
      return measured;
    } catch (error) {
      if (!late.signal.aborted) process.stdout.write(`the thread died: ${String(error)}\n`);
      this.#worker = undefined;
      await worker.terminate();
      return { time: Number.POSITIVE_INFINITY, isRefused: false };
    } finally {
      clearInterval(watch);
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }
}

/** A thread with the stack that those of a run with many files have. */
async function start(): Promise<Worker> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), { resourceLimits: { stackSizeMb: 64 } });
  await once(worker, "online");
  return worker;
}
