import type { ObjectStore } from "../../core/objects/object-store.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { HealthBook } from "../../core/routing/health.ts";
import type { FileService } from "../files/file-service.ts";
import type { ManagedBatches } from "./managed-batches.ts";
import type { NativeCreation } from "./native/native-creation.ts";
import type { BatchStore } from "./store.ts";

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
