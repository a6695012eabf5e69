import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { anonymous } from "../src/contract/principal.ts";
import type { BatchDeps } from "../src/features/batches/batch-deps.ts";
import { BatchJobs } from "../src/features/batches/batch-jobs.ts";
import { BatchStore } from "../src/features/batches/store.ts";
import { StoredBatches } from "../src/features/batches/stored-batches.ts";
import { EmbeddedQueue } from "../src/platform/queue/embedded-queue.ts";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import type { Store } from "../src/platform/store/schema.ts";

let folder = "";
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "portico-not-started-"));
  store = await openSqliteStore(folder);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it("A batch whose creation fails because the queue takes no job does not exist", async () => {
  class FullQueue extends EmbeddedQueue {
    override async enqueue(): Promise<boolean> {
      throw new Error("the queue takes no job");
    }
  }
  const batches = new BatchStore(store);
  const deps = {
    batches,
    queue: new FullQueue(store),
    ownership: { newId: () => "batch_1", tenantOf: () => "key:a", create: async () => "batch_1" },
  } as unknown as BatchDeps;
  const stored = new StoredBatches(deps, new BatchJobs(deps.queue));
  const input = { id: "file-1", row: undefined, providerId: "file-1", origin: undefined, targetModels: [] };
  const created = stored.create({
    principal: anonymous,
    request: {
      inputFileId: "file-1",
      endpoint: "/v1/chat/completions",
      completionWindow: "24h",
      execution: "gateway",
      webhookUrl: undefined,
      metadata: undefined,
      outputExpiresAfter: undefined,
    },
    input,
    model: "m",
    provider: "openai",
    remote: undefined,
  } as unknown as Parameters<StoredBatches["create"]>[0]);
  await expect(created).rejects.toThrow("the queue takes no job");
  expect(await batches.find("batch_1")).toBeUndefined();
  expect(await batches.unfinished()).toEqual([]);
});
