import { noUsage } from "../../contract/usage.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { orderedUuid } from "../../util/ordered-uuid.ts";
import { budgetWindow } from "./budget-window.ts";
import type { FinishedCall, Ledger } from "./ledger.ts";
import type { SpendStore, WindowSpend } from "./spend-store.ts";
import type { SpendRow } from "./spend-tables.ts";

/** Milliseconds that a row may wait for others to be written with. */
const WRITE_EVERY = 200;

/** Milliseconds before another try when the database did not take the rows. */
const RETRY_AFTER = 1000;

/** Rows kept while the database is away; past that the oldest are given up, loudly. */
const MAX_WAITING = 200_000;

/** The ledger on the store. Rows are written together, because each commit waits for the disk. */
export class StoreLedger implements Ledger {
  readonly #spend: SpendStore;
  readonly #logger: Logger;
  #waiting: { row: SpendRow; window: WindowSpend | undefined }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(spend: SpendStore, logger: Logger) {
    this.#spend = spend;
    this.#logger = logger;
  }

  settle(finished: FinishedCall): void {
    // By record rather than call id, because callers may choose equal ids.
    if (finished.call.recorded) return;
    finished.call.recorded = true;
    const row = rowOf(finished, Date.now());
    this.#waiting.push({ row, window: windowOf(finished, row) });
    if (this.#waiting.length > MAX_WAITING) this.#giveUpOldest();
    this.#schedule(WRITE_EVERY);
  }

  async flush(): Promise<void> {
    // A write may be under way that began before the latest row: then wait for it and for the next.
    while (this.#waiting.length > 0 || this.#writing !== undefined) {
      const waiting = this.#waiting.length;
      await this.#write();
      if (this.#waiting.length >= waiting && waiting > 0 && this.#writing === undefined) return;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0)
      this.#logger.error({ rows: this.#waiting.length }, "spend rows could not be written and are lost");
  }

  #schedule(delay: number): void {
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, delay);
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    try {
      await this.#spend.append(
        batch.map(({ row }) => row),
        sumWindows(batch),
      );
    } catch (error) {
      this.#logger.error(
        { rows: batch.length, error: describeError(error) },
        "spend rows not written yet, trying again",
      );
      this.#waiting = batch.concat(this.#waiting);
      this.#schedule(RETRY_AFTER);
    }
  }

  #giveUpOldest(): void {
    const lost = this.#waiting.splice(0, MAX_WAITING / 10);
    this.#logger.error(
      { rows: lost.length },
      "the database is away too long, the oldest spend rows are lost",
    );
  }
}

function rowOf({ callId, principal, call }: FinishedCall, endedAt: number): SpendRow {
  const usage = call.usage ?? noUsage;
  return {
    id: orderedUuid(),
    request_id: callId,
    key_hash: principal.keyHash,
    user_id: principal.userId ?? null,
    team_id: principal.teamId ?? null,
    model: call.model ?? null,
    model_id: call.deployment?.id ?? null,
    provider: call.provider ?? call.deployment?.provider ?? null,
    call_type: call.callType,
    status: call.status === "pending" ? "failure" : call.status,
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite,
    spend: call.cost ?? 0,
    started_at: call.startedAt,
    ended_at: endedAt,
  };
}

function windowOf({ principal }: FinishedCall, row: SpendRow): WindowSpend | undefined {
  if (row.spend === 0) return undefined;
  const window = budgetWindow(principal.limits, row.ended_at);
  if (window === undefined) return undefined;
  return { key_hash: row.key_hash, window_start: window.start, spend: row.spend };
}

function sumWindows(batch: readonly { window: WindowSpend | undefined }[]): WindowSpend[] {
  const sums = new Map<string, WindowSpend>();
  for (const { window } of batch) {
    if (window === undefined) continue;
    const name = `${window.key_hash} ${window.window_start}`;
    sums.set(name, { ...window, spend: window.spend + (sums.get(name)?.spend ?? 0) });
  }
  return [...sums.values()];
}
