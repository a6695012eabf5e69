import type { Worker } from "node:worker_threads";
import { boundYoungSpaceOfThreads } from "./young-space.ts";

/** Stack of each thread in MB. It is roomy because sources nest. */
export const THREAD_STACK_MB = 64;

/** A message of a worker: some results, or word that it has no more. */
export interface WorkerMessage<Result> {
  readonly results: readonly (readonly [index: number, result: Result])[];
  readonly isLast: boolean;
}

/**
 * Threads that run the same module. They load it as soon as they are started, before they get work, so that
 * start-up overlaps with whatever the main thread does meanwhile. Node's own module for threads is loaded with the
 * first of them: most runs over unchanged files need none.
 */
export class WorkerThreads {
  readonly #module: string | URL;
  readonly #workers: Worker[] = [];

  /** @param module an absolute path or a URL. */
  constructor(module: string | URL) {
    this.#module = module;
  }

  get count(): number {
    return this.#workers.length;
  }

  /** Starts threads up to the given number, with the arguments of the process. */
  start(count: number): void {
    while (this.#workers.length < count) {
      if (this.#workers.length === 0) boundYoungSpaceOfThreads();
      const threads = process.getBuiltinModule("node:worker_threads");
      const worker = new threads.Worker(this.#module, {
        argv: process.argv.slice(2),
        resourceLimits: { stackSizeMb: THREAD_STACK_MB },
      });
      worker.on("error", () => undefined);
      this.#workers.push(worker);
    }
  }

  /** Gives all threads the same task; resolves when each has said its last, or has died. */
  run<Result>(task: unknown, onResult: (index: number, result: Result) => void): Promise<void> {
    const endings = this.#workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.on("message", (message: WorkerMessage<Result>) => {
            for (const [index, result] of message.results) onResult(index, result);
            if (message.isLast) resolve();
          });
          worker.once("exit", () => resolve());
          worker.postMessage(task);
        }),
    );
    return Promise.all(endings).then(() => undefined);
  }

  /** Ends all threads at once. */
  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    this.#workers.length = 0;
  }
}
