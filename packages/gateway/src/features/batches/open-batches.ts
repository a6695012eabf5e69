import type { BatchDeps } from "./batch-deps.ts";
import { BatchJobs } from "./batch-jobs.ts";
import { BatchWorkers } from "./batch-workers.ts";
import { ManagedBatches } from "./managed-batches.ts";
import { NativeCreation } from "./native/native-creation.ts";

/** The batches that the gateway keeps, with workers that are running. */
export interface OpenedBatches {
  readonly batches: ManagedBatches;
  readonly native: NativeCreation;
  readonly store: BatchDeps["batches"];
  /** Gives all work back. */
  stop(): Promise<void>;
}

/** Starts the workers and takes up what others have left. */
export function openBatches(deps: BatchDeps): OpenedBatches {
  const jobs = new BatchJobs(deps.queue);
  const batches = new ManagedBatches(deps, jobs);
  const native = new NativeCreation({ ...deps, client: deps.files.client, jobs });
  const workers = new BatchWorkers(deps, jobs, native);
  batches
    .resume()
    .catch((error: unknown) => deps.logger.warn({ error: String(error) }, "unfinished batches wait"));
  return { batches, native, store: deps.batches, stop: () => workers.stop() };
}
