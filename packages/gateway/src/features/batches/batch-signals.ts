import { setTimeout as sleep } from "node:timers/promises";

/** Tells those who wait for a batch in this process that it changed; other processes' changes are seen by looking. */
export class BatchSignals {
  readonly #waiting = new Map<string, Set<AbortController>>();

  changed(batchId: string): void {
    for (const waiter of this.#waiting.get(batchId) ?? []) waiter.abort();
  }

  /** Resolves at the batch's next change, after `ms` milliseconds, or when `signal` aborts. */
  async wait(batchId: string, ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const waiters = this.#waiting.get(batchId) ?? new Set();
    waiters.add(woken);
    this.#waiting.set(batchId, waiters);
    await sleep(ms, undefined, { signal: AbortSignal.any([woken.signal, signal]) }).catch(() => undefined);
    waiters.delete(woken);
    if (waiters.size === 0) this.#waiting.delete(batchId);
  }
}
