import type { Principal } from "../../contract/principal.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import type { SpendStore } from "../../core/ledger/spend-store.ts";
import type { LateSpendDeps } from "../../core/objects/late-spend.ts";
import type { Ownership } from "../../core/objects/ownership.ts";
import type { TenantSeal } from "../../core/objects/tenant-seal.ts";
import type { Journal } from "../../platform/journal/journal.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import type { ConversationStore } from "../conversations/store.ts";
import type { ResponseStore } from "./record/store.ts";

/** What keeps responses; all of it belongs to one store. */
export interface ResponseState {
  readonly responses: ResponseStore;
  readonly conversations: ConversationStore;
  readonly journal: Journal;
  readonly queue: JobQueue;
  readonly spend: SpendStore;
}

/** What responses need of the gateway. */
export interface ResponseDeps {
  readonly calls: CallDeps;
  readonly ownership: Ownership;
  readonly seal: TenantSeal;
  readonly logger: Logger;
  readonly meter: LateSpendDeps["meter"];
  /**
   * A key as it is now.
   * @throws GatewayError 401 when it is blocked, expired or deleted
   */
  readonly recallPrincipal: (remembered: Principal) => Promise<Principal>;
  /** Absent without a persistent store: then only providers that keep responses themselves remember any. */
  readonly state: ResponseState | undefined;
}
