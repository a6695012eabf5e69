import { Worker } from "node:worker_threads";
import type { JsonObject } from "../../contract/json.ts";
import type { CountJob, CountResult } from "./token-worker.ts";

interface Waiting {
  resolve(tokens: number): void;
  reject(error: Error): void;
}

let running: CountingThread | undefined;

/**
 * Counts a request body's tokens in a thread of its own: loading the encoding and counting long texts take hundreds of
 * milliseconds, in which this thread answers other callers. The thread starts at the first call and serves the process.
 * @throws Error when the thread ends or cannot count the body
 */
export function countTokensApart(body: JsonObject): Promise<number> {
  running ??= new CountingThread();
  return running.count(body);
}

class CountingThread {
  readonly #waiting = new Map<number, Waiting>();
  readonly #worker: Worker;
  #jobs = 0;

  constructor() {
    // The bundle has the thread's module beside its own; sources are read as they are.
    const own = import.meta.url.endsWith(".ts") ? "./token-worker.ts" : "./token-worker.js";
    this.#worker = new Worker(new URL(own, import.meta.url));
    this.#worker
      .on("message", (result: CountResult) => this.#answer(result))
      .on("error", (error: Error) => this.#end(error))
      .on("exit", () => this.#end(new Error("The thread that counts tokens ended")));
    this.#worker.unref();
  }

  count(body: JsonObject): Promise<number> {
    const job: CountJob = { id: this.#jobs++, json: JSON.stringify(body) };
    return new Promise((resolve, reject) => {
      this.#waiting.set(job.id, { resolve, reject });
      this.#worker.postMessage(job);
    });
  }

  #answer({ id, tokens }: CountResult): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (tokens === undefined) waiting?.reject(new Error("The tokens could not be counted"));
    else waiting?.resolve(tokens);
  }

  /** The next call starts another thread. */
  #end(error: Error): void {
    if (running === this) running = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
