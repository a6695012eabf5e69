import type { CostOf } from "../../core/ledger/price.ts";
import type { SpendStore } from "../../core/ledger/spend-store.ts";
import type { ObjectStore } from "../../core/objects/object-store.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { HealthBook } from "../../core/routing/health.ts";
import type { FileService } from "../files/file-service.ts";
import type { ProviderBatchCreation } from "./provider/provider-batch-creation.ts";
import type { BatchStore } from "./store.ts";
import type { StoredBatches } from "./stored-batches.ts";

/** What the endpoints need. */
export interface BatchRouteDeps extends ResourceDeps {
  readonly health: HealthBook;
  readonly files: FileService;
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
