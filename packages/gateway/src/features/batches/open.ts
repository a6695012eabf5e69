import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { SettingsStore } from "../../platform/store/settings-store.ts";
import type { Files } from "../files/open.ts";
import { type BatchDeps, type BatchRouteDeps, BatchSignals } from "./batch-deps.ts";
import { BatchJobs } from "./batch-jobs.ts";
import { BatchWorkers } from "./batch-workers.ts";
import { messageBatchRoutes } from "./message-batches/routes.ts";
import { messageBatchDescription } from "./message-batches/schema.ts";
import { ProviderBatchCreation } from "./provider/provider-batch-creation.ts";
import { SubmissionStore } from "./provider/submission-store.ts";
import { batchRoutes, webhookSecretRoute } from "./routes.ts";
import { batchDescription } from "./schema.ts";
import { BatchStore } from "./store.ts";
import { StoredBatches } from "./stored-batches.ts";

/** Batches, at providers and, with a store, run here. */
export async function openBatches(core: Core, platform: Platform, files: Files): Promise<Feature> {
  const { resources, objects, calls } = core;
  const deps = await openDeps(core, platform, files);
  const stored = deps && startStored(deps);
  const routeDeps: BatchRouteDeps = {
    ...resources,
    objects,
    health: calls.health,
    costOf: calls.costOf,
    spend: core.spend,
    files: files.service,
    storage: files.storage,
    stored,
  };
  return {
    routes: [
      ...batchRoutes(routeDeps),
      ...messageBatchRoutes(routeDeps),
      ...webhookSecretRoute(deps?.webhookSecret, resources.ownership),
    ],
    descriptions: [batchDescription, messageBatchDescription],
    ...(stored && {
      chores: {
        "expired-submissions": async () => {
          await stored.providerRun.removeExpired();
          return false;
        },
      },
      stop: () => stored.workers.stop(),
    }),
  };
}

/** Starts the workers of the batches that the gateway stores, and takes up what others have left. */
function startStored(deps: BatchDeps) {
  const jobs = new BatchJobs(deps.queue);
  const batches = new StoredBatches(deps, jobs);
  const providerRun = new ProviderBatchCreation({ ...deps, client: deps.files.client, jobs });
  const workers = new BatchWorkers(deps, jobs, providerRun);
  batches
    .resume()
    .catch((error: unknown) => deps.logger.warn({ error: String(error) }, "unfinished batches wait"));
  return { batches, providerRun, store: deps.batches, workers };
}

/** Absent without a persistent store. */
async function openDeps(core: Core, platform: Platform, files: Files): Promise<BatchDeps | undefined> {
  const { store, queue, logger } = platform;
  const { spend, objects } = core;
  if (!(store && queue && spend)) return undefined;
  const batches = new BatchStore(store);
  files.readers.add({
    isReading: (fileId) => batches.isInUse(fileId),
    names: (key) => batches.namesInput(key),
  });
  return {
    ...core.resources,
    objects,
    storage: files.storage,
    files: files.service,
    calls: core.batchCalls,
    batches,
    submissions: new SubmissionStore(store),
    queue,
    spend,
    signals: new BatchSignals(),
    logger,
    meter: core.meter,
    interactiveCalls: core.interactiveCalls,
    recallPrincipal: core.recallPrincipal,
    webhookSecret: await new SettingsStore(store).secret("webhooks"),
  };
}
