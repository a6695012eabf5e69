import { setTimeout as sleep } from "node:timers/promises";
import type { Principal } from "../../contract/principal.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import type { CostOf } from "../../core/ledger/price.ts";
import type { SpendStore } from "../../core/ledger/spend-store.ts";
import type { LateSpendDeps } from "../../core/objects/late-spend.ts";
import type { ObjectStore } from "../../core/objects/object-store.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { HealthBook } from "../../core/routing/health.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { FileDeps, FileService } from "../files/file-service.ts";
import type { FileStorage } from "../files/file-storage.ts";
import type { ProviderBatchCreation } from "./provider/provider-batch-creation.ts";
import type { SubmissionStore } from "./provider/submission-store.ts";
import type { BatchStore } from "./store.ts";
import type { StoredBatches } from "./stored-batches.ts";

/** What the batches that the gateway stores need of the rest of it; there are none without a persistent store. */
export interface BatchDeps extends Omit<FileDeps, "readers"> {
  /** Calls that give way to interactive ones. */
  readonly calls: CallDeps;
  readonly files: FileService;
  readonly batches: BatchStore;
  readonly submissions: SubmissionStore;
  readonly queue: JobQueue;
  readonly spend: SpendStore;
  readonly signals: BatchSignals;
  readonly logger: Logger;
  readonly meter: LateSpendDeps["meter"];
  /** Interactive calls that are running in this process. */
  readonly interactiveCalls: () => number;
  /**
   * A key as it is now.
   * @throws GatewayError 401 when it is blocked, expired or deleted
   */
  readonly recallPrincipal: (remembered: Principal) => Promise<Principal>;
  /** Secret behind the signatures of webhooks. */
  readonly webhookSecret: string;
}

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

/** What the endpoints need. */
export interface BatchRouteDeps extends ResourceDeps {
  readonly health: HealthBook;
  readonly files: FileService;
  readonly storage: FileStorage;
  readonly costOf: CostOf;
  /** Absent without a persistent store. */
  readonly spend: SpendStore | undefined;
  readonly objects: ObjectStore | undefined;
  /** Absent without a persistent store: then only providers run batches. */
  readonly stored:
    | {
        readonly batches: StoredBatches;
        readonly store: BatchStore;
        readonly providerRun: ProviderBatchCreation;
      }
    | undefined;
}
