import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import { orderedUuid } from "../../../util/ordered-uuid.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { internalContext } from "../internal-context.ts";
import { REPEATED_MS } from "./new-submission.ts";
import type { ProviderBatchCreation } from "./provider-batch-creation.ts";

/** Milliseconds between looks for a lost batch: soon at first, then every five minutes, for as long as it may be repeated. */
const FIRST_PAUSE = 10_000;
const MAX_PAUSE = 300_000;

/** Finds a provider's batch whose creator is gone, so that its owner sees it and its cost is accounted. */
export async function adoptSubmission(
  { submissions, queue }: Pick<BatchDeps, "submissions" | "queue">,
  creation: ProviderBatchCreation,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const row = await submissions.find(String(lease.payload.batch));
  if (row === undefined || row.sent_at === null || row.state === "made") return { done: true };
  if (row.alive_until > Date.now()) return { again: row.alive_until };
  if (row.sent_at + REPEATED_MS <= Date.now()) return { done: true };
  const mine = await creation.takeOver(row, orderedUuid());
  if (mine === undefined) return { again: Date.now() + FIRST_PAUSE };
  const found = await creation.recover(mine, internalContext("abatch_adoption", signal));
  await creation.release(mine);
  if (found !== undefined) return { done: true };
  const looks = Number(lease.checkpoint?.looks ?? 0);
  await queue.checkpoint(lease, { looks: looks + 1 });
  return { again: Date.now() + Math.min(MAX_PAUSE, FIRST_PAUSE * 1.5 ** looks) };
}
