import type { Principal } from "../../contract/principal.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import type { SpendStore } from "../../core/ledger/spend-store.ts";
import type { LateSpendDeps } from "../../core/objects/late-spend.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { FileDeps, FileService } from "../files/file-service.ts";
import type { BatchSignals } from "./batch-signals.ts";
import type { SubmissionStore } from "./provider/submission-store.ts";
import type { BatchStore } from "./store.ts";

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
