import type { BatchDeps } from "../batch-deps.ts";
import { type BatchJobs, CONTROL_QUEUE } from "../batch-jobs.ts";
import { forgetHold } from "../batch-spend.ts";
import type { BatchStatus, BatchTableRow } from "../table.ts";

/**
 * Gives a batch its final status. In the same transaction its rows go, what is held for it of its key's budget is given
 * back, and its webhook is added: whoever dies in between leaves all of it to be done once more, or none.
 * @returns whether it was still in one of the statuses
 */
export async function endBatch(
  deps: BatchDeps,
  jobs: BatchJobs,
  batchId: string,
  from: readonly BatchStatus[],
  change: Partial<BatchTableRow>,
): Promise<boolean> {
  const isEnded = await deps.batches.change(batchId, from, change, async (db) => {
    await deps.batches.deleteRows(batchId, db);
    await forgetHold(deps, batchId, db);
    await jobs.control("webhook", batchId, {}, undefined, db);
  });
  if (!isEnded) return false;
  deps.signals.changed(batchId);
  jobs.wakeAt(CONTROL_QUEUE, 0);
  return true;
}
