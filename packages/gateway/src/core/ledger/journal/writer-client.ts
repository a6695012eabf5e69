import { Worker } from "node:worker_threads";
import type { Logger } from "../../../platform/log/logger.ts";
import type { WriteRequest, WriteResult, WriterReport, WriterStart } from "./writer-thread.ts";

/** MiB of the thread's heap: a part of a segment as texts and as values. */
const HEAP_MB = 64;
const YOUNG_MB = 4;

interface Waiting {
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

/** The thread that writes to the database, as the rest of the gateway sees it. It starts when it is first asked. */
export class WriterClient {
  readonly #start: WriterStart;
  readonly #logger: Logger;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #requests = 0;

  constructor(start: WriterStart, logger: Logger) {
    this.#start = start;
    this.#logger = logger;
  }

  /** @throws Error when the thread ended; the next request starts another one */
  write(request: Omit<WriteRequest, "id">): Promise<WriteResult> {
    const id = this.#requests++;
    const worker = this.#running();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, ...request } satisfies WriteRequest);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // The bundle has the thread's module beside its own; sources are read as they are.
    const own = import.meta.url.endsWith(".ts") ? "./writer-thread.ts" : "./spend-writer.js";
    const worker = new Worker(new URL(own, import.meta.url), {
      name: "spend",
      workerData: this.#start,
      // Modules that the process was told to load first are not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker
      .on("message", (message: WriteResult | WriterReport) => this.#hear(message))
      .on("error", (error: Error) => this.#end(worker, error))
      .on("exit", () => this.#end(worker, new Error("the thread that writes spend rows ended")));
    this.#worker = worker;
    return worker;
  }

  #hear(message: WriteResult | WriterReport): void {
    if ("message" in message) {
      this.#logger[message.level](message.fields, message.message);
      return;
    }
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
    // A thread with nothing to do keeps no process alive.
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #end(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
