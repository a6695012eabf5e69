import type { Ledger } from "../../../core/ledger/ledger.ts";
import type { BatchStore, RowResult } from "../store.ts";
import type { BatchTableRow } from "../table.ts";

/** Milliseconds that a result waits for others to be written with, because each commit waits for the disk. */
const TOGETHER = 15;

interface Waiting {
  readonly result: RowResult;
  readonly done: (batch: BatchTableRow | undefined) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Writes down results of rows, several at a time. What a row cost is durable before the row counts as done: a row
 * whose cost was lost is sent again rather than given away.
 */
export class RowCommitter {
  readonly #batches: BatchStore;
  readonly #ledger: Ledger;
  readonly #waiting = new Map<string, Waiting[]>();
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  constructor(batches: BatchStore, ledger: Ledger) {
    this.#batches = batches;
    this.#ledger = ledger;
  }

  /** Resolves with the batch once the result is durable. */
  commit(batchId: string, result: RowResult): Promise<BatchTableRow | undefined> {
    return new Promise((done, failed) => {
      const waiting = this.#waiting.get(batchId) ?? [];
      waiting.push({ result, done, failed });
      this.#waiting.set(batchId, waiting);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#writing = this.#writing.then(() => this.#write());
      }, TOGETHER);
    });
  }

  async #write(): Promise<void> {
    const batches = [...this.#waiting];
    this.#waiting.clear();
    for (const [batchId, waiting] of batches) {
      try {
        await this.#ledger.durable();
        const results = waiting.map(({ result }) => result);
        const batch = await this.#batches.settleRows(batchId, results);
        for (const { done } of waiting) done(batch);
      } catch (error) {
        for (const { failed } of waiting) failed(error);
      }
    }
  }
}
