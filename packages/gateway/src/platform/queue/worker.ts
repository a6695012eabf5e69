import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../util/message-of.ts";
import { Recurring } from "../log/recurring.ts";
import { DEFAULT_LEASE_MS, type JobQueue, type Lease } from "./job-queue.ts";

/** What a handler says when it stops working on a job: it is done, or wants to go on at a time (milliseconds). */
export type JobOutcome = { readonly done: true } | { readonly again: number };

/** Works on a job until it is done or `signal` aborts: then the lease was lost, or the process is to end. */
export type JobHandler = (lease: Lease, signal: AbortSignal) => Promise<JobOutcome>;

export interface WorkerOptions {
  readonly queue: JobQueue;
  readonly name: string;
  readonly handler: JobHandler;
  /** Jobs at the same time. */
  readonly concurrency: number;
  readonly leaseMs?: number;
  /** Milliseconds between looks for work when there was none. */
  readonly pollMs?: number;
  /** Called with what a handler or the queue threw; where no job can be had, once a minute. */
  readonly onError: (error: unknown, lease: Lease | undefined) => void;
}

/** Takes jobs from a queue, keeps their leases alive while handlers work, and settles them. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #looking: Recurring | undefined;
  #wake: AbortController = new AbortController();
  readonly #loop: Promise<void>;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#loop = this.#run();
  }

  /** Looks for work now, because some was just added. */
  wake(): void {
    this.#wake.abort();
  }

  /** Tells handlers to stop, gives their jobs back, and waits for them. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#loop;
    await Promise.all(this.#running);
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      const free = this.#options.concurrency - this.#running.size;
      const leases = free > 0 ? await this.#lease(free) : [];
      for (const lease of leases) this.#start(lease);
      if (leases.length < free || free === 0) await this.#pause();
    }
  }

  async #lease(count: number): Promise<Lease[]> {
    try {
      const leases = await this.#options.queue.lease(this.#options.name, count, this.#options.leaseMs);
      this.#looking = undefined;
      return leases;
    } catch (error) {
      this.#looking ??= new Recurring();
      if (this.#looking.failed(messageOf(error))) this.#options.onError(error, undefined);
      return [];
    }
  }

  #start(lease: Lease): void {
    const work = this.#work(lease)
      .catch((error: unknown) => this.#options.onError(error, lease))
      .finally(() => {
        this.#running.delete(work);
        this.wake();
      });
    this.#running.add(work);
  }

  async #work(lease: Lease): Promise<void> {
    const { queue, handler, leaseMs = DEFAULT_LEASE_MS, onError } = this.#options;
    const lost = new AbortController();
    const renewal = setInterval(() => {
      queue.renew(lease, leaseMs).then(
        (held) => {
          if (!held) lost.abort();
        },
        (error: unknown) => onError(error, lease),
      );
    }, leaseMs / 3);
    try {
      const outcome = await handler(lease, AbortSignal.any([lost.signal, this.#stop.signal]));
      await ("done" in outcome ? queue.finish(lease) : queue.schedule(lease, outcome.again));
    } catch (error) {
      if (this.#stop.signal.aborted) await queue.schedule(lease, Date.now());
      else {
        onError(error, lease);
        await queue.fail(lease, messageOf(error), Date.now() + backoff(lease.attempt));
      }
    } finally {
      clearInterval(renewal);
    }
  }

  async #pause(): Promise<void> {
    await sleep(this.#options.pollMs ?? 500, undefined, { signal: this.#wake.signal }).catch(() => {});
  }
}

/** Half a second, doubled with each attempt, a minute at most, with jitter so that replicas spread out. */
function backoff(attempt: number): number {
  return Math.min(60_000, 500 * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
