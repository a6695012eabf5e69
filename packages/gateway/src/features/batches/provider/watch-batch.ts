import { GatewayError } from "../../../contract/errors.ts";
import { upstreamPath } from "../../../contract/upstream-path.ts";
import { isRevoked } from "../../../core/auth/revoked.ts";
import type { AddressedObject } from "../../../core/objects/locate-origin.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import type { BatchDeps } from "../batch-deps.ts";
import type { BatchJobs } from "../batch-jobs.ts";
import { forgetHold, internalContext } from "../batch-spend.ts";
import { lacksBatches } from "../lacks-batches.ts";
import { nativeData } from "../provider-batches.ts";
import { accountResults } from "./account-results.ts";
import { locateWatched, lookAt } from "./look-at.ts";
import { endOfWindow, type TakenOver, takeOver } from "./take-over.ts";

/** Milliseconds between looks at a provider's batch: soon at first, then every five minutes. */
const FIRST_LOOK = 2000;
const MAX_PAUSE = 300_000;
/** Looks after which a batch counts as lost whose window is not known: about two and a half days. */
const MAX_LOOKS = 750;
/** Milliseconds after the batch's window for which its end is waited for. */
const RESULTS_GRACE = 24 * 3_600_000;

/**
 * Follows a batch at a provider until it is over: then accounts for its cost, once, out of its result files, and
 * tells the owner's webhook. A batch or results that the provider does not have are looked for more often
 * (`confirmMissing`). A batch without an end a day after its window ends as expired, and says why.
 */
export async function watchBatch(
  deps: BatchDeps,
  jobs: BatchJobs,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const id = String(lease.payload.batch);
  const looks = Number(lease.checkpoint?.looks ?? 0);
  const later = async (): Promise<JobOutcome> => {
    await deps.queue.checkpoint(lease, { looks: looks + 1 });
    return { again: Date.now() + Math.min(MAX_PAUSE, FIRST_LOOK * 1.3 ** Math.min(looks, 100)) };
  };
  let batch: AddressedObject | undefined;
  try {
    batch = await locateWatched(deps, id);
  } catch (error) {
    // The configuration lacks its deployment, and may have it again.
    if (!(error instanceof GatewayError) || looks > MAX_LOOKS) throw error;
    return later();
  }
  if (batch === undefined) {
    if ((await deps.batches.find(id)) === undefined) await forgetHold(deps, id);
    return { done: true };
  }
  let problem: unknown;
  try {
    const { answer, isOver } = await lookAt(deps, batch, signal);
    if (isOver) {
      await accountResults(deps, batch, answer, signal);
      await tell(jobs, lease, batch, String(answer.status));
      return { done: true };
    }
    const { by } = nativeData(batch.row!);
    if (answer.status !== "cancelling" && by !== undefined && (await isRevoked(deps, by)))
      await cancelAtProvider(deps, batch, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof GatewayError)) throw error;
    problem = error;
    deps.logger.debug({ batch: id, error: String(error) }, "a provider's batch could not be looked at");
    if (lacksBatches(error)) await jobs.control("confirm", id);
  }
  const { fallback } = nativeData(batch.row!);
  if (fallback === undefined && looks > MAX_LOOKS) {
    await forgetHold(deps, id);
    return { done: true };
  }
  if (
    fallback !== undefined &&
    endOfWindow(batch.row!, fallback.completionWindow) + RESULTS_GRACE <= Date.now()
  ) {
    await takeOver(deps, jobs, batch, overdue(batch, fallback.completionWindow, problem));
    return { done: true };
  }
  return later();
}

function overdue({ origin }: AddressedObject, window: string, problem: unknown): TakenOver {
  const last =
    problem instanceof GatewayError ? `could not be asked (${problem.message})` : "was still running it";
  const message = `${origin.provider} ${last} a day after the batch's window of ${window} had ended`;
  return { status: "expired", code: "batch_expired", message };
}

/** What its owner may no longer ask for its provider goes on with, at the owner's cost, until it is told. */
async function cancelAtProvider(
  deps: BatchDeps,
  { id, origin, providerId }: AddressedObject,
  signal: AbortSignal,
): Promise<void> {
  const path = upstreamPath`/batches/${providerId}/cancel`;
  await deps.files.client.json(origin, { method: "POST", path }, internalContext("acancel_batch", signal));
  deps.logger.info(
    { batch: id, provider: origin.provider },
    "a batch was cancelled whose key may no longer call",
  );
  deps.signals.changed(id);
}

async function tell(jobs: BatchJobs, lease: Lease, batch: AddressedObject, status: string): Promise<void> {
  const { url } = lease.payload;
  if (typeof url !== "string") return;
  const { tenant } = batch.row!;
  await jobs.control("webhook", batch.id, { native: { url, tenant, status, endedAt: Date.now() } });
}
