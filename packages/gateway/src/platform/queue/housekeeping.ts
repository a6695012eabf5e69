import { describeError } from "../log/describe-error.ts";
import type { Logger } from "../log/logger.ts";
import type { JobQueue } from "./job-queue.ts";
import { Worker } from "./worker.ts";

/** Does a bounded piece of work; resolves with whether there is more of it. */
export type Chore = (signal: AbortSignal) => Promise<boolean>;

const QUEUE_NAME = "housekeeping";
/** Milliseconds between two rounds of a chore. */
const EVERY_MS = 600_000;
/**
 * Milliseconds before the rest of a chore that is not finished, between looks for one that is due, and before chores are
 * added again that are gone.
 */
const PAUSES = { restMs: 1000, pollMs: 2000, addMs: EVERY_MS };
/** A round that fails is logged; the next one tries again. */
const MAX_ATTEMPTS = 1_000_000_000;
/** Milliseconds that settled jobs are remembered, and how many one round forgets. */
const SETTLED_MS = 24 * 3_600_000;
const SETTLED_AT_ONCE = 1000;

/**
 * Chores that one replica at a time does every ten minutes, however often processes start and end. Forgetting the
 * queue's own settled jobs is always one of them.
 */
export class Housekeeping {
  readonly #queue: JobQueue;
  readonly #chores: ReadonlyMap<string, Chore>;
  readonly #logger: Logger;
  readonly #pauses: typeof PAUSES;
  #worker: Worker | undefined;
  #adding: Promise<void> | undefined;
  #addingAgain: NodeJS.Timeout | undefined;

  constructor(queue: JobQueue, chores: Readonly<Record<string, Chore>>, logger: Logger, pauses = PAUSES) {
    this.#pauses = pauses;
    this.#queue = queue;
    this.#chores = new Map(Object.entries({ ...chores, "settled-jobs": () => this.#forgetSettled() }));
    this.#logger = logger;
  }

  /** Begins the first round; no start waits for it. */
  begin(): void {
    const onError = (error: unknown, chore: string | undefined): void =>
      this.#logger.warn({ chore, error: describeError(error) }, "housekeeping failed");
    this.#worker = new Worker({
      queue: this.#queue,
      name: QUEUE_NAME,
      concurrency: 1,
      pollMs: this.#pauses.pollMs,
      handler: async ({ key }, signal) => {
        const hasMore = await this.#chores.get(key)?.(signal);
        // One of a version that had it; replicas of a later version, beside this one, add theirs again.
        if (hasMore === undefined) return { done: true };
        return { again: Date.now() + (hasMore ? this.#pauses.restMs : EVERY_MS) };
      },
      onError: (error, lease) => onError(error, lease?.key),
    });
    const add = (worker: Worker): void => {
      this.#adding = this.#enqueue(worker).catch((error: unknown) => onError(error, undefined));
    };
    add(this.#worker);
    this.#addingAgain = setInterval(add, this.#pauses.addMs, this.#worker).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#addingAgain);
    await this.#adding;
    await this.#worker?.stop();
  }

  /** Chores that wait for their next round stay as they are. */
  async #enqueue(worker: Worker): Promise<void> {
    for (const key of this.#chores.keys())
      await this.#queue.enqueue(QUEUE_NAME, key, {}, { maxAttempts: MAX_ATTEMPTS });
    worker.wake();
  }

  async #forgetSettled(): Promise<boolean> {
    const removed = await this.#queue.removeSettled(Date.now() - SETTLED_MS, SETTLED_AT_ONCE);
    return removed === SETTLED_AT_ONCE;
  }
}

/** Housekeeping for everybody who brings chores; absent without a queue. */
export function openHousekeeping(
  { queue, logger }: { readonly queue: JobQueue | undefined; readonly logger: Logger },
  owners: readonly { readonly chores?: Readonly<Record<string, Chore>> }[],
): Housekeeping | undefined {
  const chores = Object.assign({}, ...owners.map((owner) => owner.chores)) as Record<string, Chore>;
  return queue && new Housekeeping(queue, chores, logger);
}
