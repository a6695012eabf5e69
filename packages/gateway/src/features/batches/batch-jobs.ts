import type { JsonObject } from "../../contract/json.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { Store } from "../../platform/store/schema.ts";

/** The queue of rows, and the one of everything else that batches need. */
export const SLICE_QUEUE = "batch-slices";
export const CONTROL_QUEUE = "batch-control";

/** Rows that one worker takes at a time. */
export const SLICE_ROWS = 50;

/** What is to be done about a batch. */
export type ControlKind = "prepare" | "finish" | "remote" | "adopt" | "watch" | "confirm" | "webhook";

/** Workers of this process that can be told of new work. */
export interface Wakeable {
  wake(queue: string): void;
}

/** Adds the jobs of batches. Adding one that waits already does nothing, so it can always be done once more. */
export class BatchJobs {
  readonly #queue: JobQueue;
  #workers: Wakeable | undefined;

  constructor(queue: JobQueue) {
    this.#queue = queue;
  }

  /** Workers in this process look for work at once rather than at their next turn. */
  connect(workers: Wakeable): void {
    this.#workers = workers;
  }

  /**
   * @param runAt milliseconds since the epoch
   * @param within a transaction that the job is part of; whoever ends it wakes the workers
   */
  async control(
    kind: ControlKind,
    batch: string,
    more: JsonObject = {},
    runAt?: number,
    within?: Store["db"],
  ): Promise<void> {
    const { key = `${kind}:${batch}`, ...payload } = more;
    await this.#queue.enqueue(
      CONTROL_QUEUE,
      String(key),
      { kind, batch, ...payload },
      {
        maxAttempts: 1000,
        ...(runAt === undefined ? {} : { runAt }),
        ...(within === undefined ? {} : { within }),
      },
    );
    if (within === undefined) this.#wakeAt(CONTROL_QUEUE, runAt);
  }

  /** The slice of rows that begins at a line; earlier slices of every batch come first. */
  async slice(batch: string, from: number): Promise<void> {
    const payload = { batch, from, to: from + SLICE_ROWS };
    const priority = -Math.floor(from / SLICE_ROWS);
    await this.#queue.enqueue(SLICE_QUEUE, `${batch}:${from}`, payload, { priority, maxAttempts: 100_000 });
    this.#wakeAt(SLICE_QUEUE, undefined);
  }

  /** Has the workers look again when a job is due that was given back, or added in a transaction. */
  wakeAt(queue: string, runAt: number): void {
    this.#wakeAt(queue, runAt);
  }

  #wakeAt(queue: string, runAt: number | undefined): void {
    const wait = (runAt ?? 0) - Date.now();
    if (wait <= 0) this.#workers?.wake(queue);
    else if (wait < 120_000) setTimeout(() => this.#workers?.wake(queue), wait + 1).unref();
  }
}
