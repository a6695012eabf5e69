import type { CallDeps } from "../calls/model-call.ts";
import type { Principal } from "../contract/principal.ts";
import type { FileService } from "../files/file-service.ts";
import type { Ownership } from "../ids/ownership.ts";
import type { Journal } from "../journal/journal.ts";
import type { Logger } from "../observability/logger.ts";
import type { ConversationStore } from "../persistence/conversation-store.ts";
import type { ResponseStore } from "../persistence/response-store.ts";
import type { SpendStore } from "../persistence/spend-store.ts";
import type { JobQueue } from "../queue/job-queue.ts";
import type { LateSpendDeps } from "../resources/late-spend.ts";

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
  readonly files: FileService;
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
