import type { ManagedBatches } from "../../batches/managed-batches.ts";
import type { NativeCreation } from "../../batches/native/native-creation.ts";
import type { FileService } from "../../files/file-service.ts";
import type { BatchStore } from "../../persistence/batch-store.ts";
import type { ObjectStore } from "../../persistence/object-store.ts";
import type { ResourceDeps } from "../../resources/resource-deps.ts";
import type { HealthBook } from "../../routing/health.ts";

/** What the endpoints need. */
export interface BatchRouteDeps extends ResourceDeps {
  readonly health: HealthBook;
  readonly files: FileService;
  readonly objects: ObjectStore | undefined;
  /** Absent without a persistent store: then only providers run batches. */
  readonly managed:
    | { readonly batches: ManagedBatches; readonly store: BatchStore; readonly native: NativeCreation }
    | undefined;
}
