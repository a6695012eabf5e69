import { expect, it } from "vitest";
import { notFound } from "../../../contract/errors.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { BatchDeps } from "../batch-deps.ts";
import type { BatchJobs } from "../batch-jobs.ts";
import { watchBatch } from "./watch-batch.ts";

it("A batch whose deployment the configuration lacks is looked at again, for days rather than a few tries", async () => {
  const saved: unknown[] = [];
  const deps = {
    objects: { find: async () => ({ key_hash: "k", user_id: null, team_id: null, tenant: "key:k" }) },
    batches: { find: async () => undefined },
    ownership: {
      locate: async () => {
        throw notFound("The deployment that made it is no longer configured");
      },
    },
    queue: { checkpoint: async (_lease: Lease, checkpoint: unknown) => saved.push(checkpoint) },
  } as unknown as BatchDeps;
  const look = (looks: number) => {
    const lease = { payload: { batch: "batch_1" }, checkpoint: { looks } } as unknown as Lease;
    return watchBatch(deps, {} as BatchJobs, lease, new AbortController().signal);
  };
  for (const looks of [0, 100, 700]) expect(await look(looks)).toMatchObject({ again: expect.any(Number) });
  expect(saved).toEqual([{ looks: 1 }, { looks: 101 }, { looks: 701 }]);
  await expect(look(1000)).rejects.toThrow("no longer configured");
});
