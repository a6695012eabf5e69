import { GatewayError } from "../../../contract/errors.ts";
import type { Principal } from "../../../contract/principal.ts";
import { isRevoked } from "../../../core/auth/revoked.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { type BatchJobs, SLICE_ROWS } from "../batch-jobs.ts";
import { batchErrors, passingErrors } from "../batch-object.ts";
import { forgetHold } from "../batch-spend.ts";
import { lacksBatches } from "../lacks-batches.ts";
import { endBatch } from "../run/end-batch.ts";
import type { BatchTableRow } from "../table.ts";
import type { FoundBatch } from "./remote-api.ts";
import { RemoteRun } from "./remote-run.ts";

/** What a batch at a provider says that ends because of it. */
const REVOKED = {
  code: "key_revoked",
  message: "The batch was cancelled, because its key may no longer call",
} as const;

/** Milliseconds between looks: soon at first, then every minute. */
const FIRST_LOOK = 1000;
const MAX_PAUSE = 60_000;
/** Looks in a row that must find no batch under an id before the gateway runs the rows that have no result. */
const MISSING_LOOKS = 4;
/** Milliseconds after the batch's window for which the end of a batch that is at the provider is waited for. */
const RESULTS_GRACE = 24 * 3_600_000;

/**
 * Runs a batch at a provider with a wire format of its own: sends the rows, looks until it is over, and takes the
 * results over as if the rows had run here. Where the provider turns out to have no batch API, at whichever step, the
 * gateway runs the rows itself. Other failures are tried again until the batch's window is over; the batch says why. So
 * does one that the provider still calls running a day after its window: it ends.
 */
export async function runRemote(
  deps: BatchDeps,
  jobs: BatchJobs,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const batch = await deps.batches.find(String(lease.payload.batch));
  if (batch === undefined || !["in_progress", "cancelling"].includes(batch.status)) return { done: true };
  // Whoever handed it to the gateway died before its rows had their jobs.
  if (batch.runner === "gateway") {
    await startHere(jobs, batch);
    return { done: true };
  }
  const run = new RemoteRun(deps, batch, signal);
  if (lease.key !== `remote:${batch.id}`) {
    await cancelRemote(deps, jobs, run, batch, lease.queue);
    return { done: true };
  }
  if (batch.status === "in_progress" && (await isRevoked(deps, JSON.parse(batch.principal) as Principal))) {
    await cancelRevoked(deps, jobs, batch);
    return { again: Date.now() + FIRST_LOOK };
  }
  const progress = (lease.checkpoint ?? {}) as RemoteProgress;
  try {
    return await nextStep(deps, jobs, run, batch, lease);
  } catch (error) {
    // Other errors are defects or the store's: the queue logs them and tries again.
    if (signal.aborted || !(error instanceof GatewayError)) throw error;
    return afterFailure(deps, jobs, batch, lease, progress, error);
  }
}

async function nextStep(
  deps: BatchDeps,
  jobs: BatchJobs,
  run: RemoteRun,
  batch: BatchTableRow,
  lease: Lease,
): Promise<JobOutcome> {
  const progress = (lease.checkpoint ?? {}) as RemoteProgress;
  const { id, isCertain = true, looks = 0, others = [] } = progress;
  if (id === undefined) {
    const made = await beginRemote(deps, jobs, run, batch, lease);
    await forgetErrors(deps, batch);
    if (made === undefined) return { done: true };
    await save(deps, lease, { ...progress, ...made, looks: 0, failures: 0, missing: 0 });
    return { again: Date.now() + FIRST_LOOK };
  }
  const state = await run.takeResults(id, isCertain);
  if (state === "running" && batch.expires_at + RESULTS_GRACE <= Date.now()) {
    await giveUp(deps, jobs, run, batch, isCertain ? id : undefined);
    return { done: true };
  }
  await forgetErrors(deps, batch);
  if (state === "foreign") {
    await save(deps, lease, { sentAt: progress.sentAt ?? batch.created_at, others: [...others, id] });
    return { again: Date.now() };
  }
  if (state === "running") {
    await save(deps, lease, { ...progress, looks: looks + 1, failures: 0, missing: 0 });
    return { again: Date.now() + Math.min(MAX_PAUSE, FIRST_LOOK * 1.2 ** looks) };
  }
  await jobs.control("finish", batch.id);
  return { done: true };
}

/** Ends a batch without the results that its provider never had; the provider is told, where it is certainly ours. */
async function giveUp(
  deps: BatchDeps,
  jobs: BatchJobs,
  run: RemoteRun,
  batch: BatchTableRow,
  id: string | undefined,
): Promise<void> {
  if (id !== undefined)
    await run.cancel(id).catch((error: unknown) => {
      deps.logger.debug({ batch: batch.id, error: String(error) }, "an overdue batch could not be cancelled");
    });
  const window = batch.completion_window;
  const message = `${batch.provider} was still running the batch a day after its window of ${window} had ended`;
  await note(deps, batch, batchErrors({ code: "batch_expired", message }));
  await expire(deps, jobs, batch);
}

async function expire(deps: BatchDeps, jobs: BatchJobs, batch: BatchTableRow): Promise<void> {
  await deps.batches.settleWaiting(batch.id, batch.status === "cancelling" ? "cancelled" : "expired");
  await jobs.control("finish", batch.id);
}

/** Lets the batch say what is wrong with it. */
async function note(deps: BatchDeps, batch: BatchTableRow, errors: string): Promise<void> {
  await deps.batches.change(batch.id, ["in_progress"], { errors });
  deps.signals.changed(batch.id);
}

/** What was wrong has passed. */
async function forgetErrors(deps: BatchDeps, batch: BatchTableRow): Promise<void> {
  if (batch.errors !== null) await deps.batches.change(batch.id, ["in_progress"], { errors: null });
}

/** The provider refused or could not be reached: the gateway takes over, the batch ends, or it is tried again. */
async function afterFailure(
  deps: BatchDeps,
  jobs: BatchJobs,
  batch: BatchTableRow,
  lease: Lease,
  progress: RemoteProgress,
  error: GatewayError,
): Promise<JobOutcome> {
  const failures = (progress.failures ?? 0) + 1;
  const missing = lacksApi(error) ? (progress.missing ?? 0) + 1 : 0;
  if (missing > 0 && (progress.id === undefined || missing >= MISSING_LOOKS)) {
    await runHere(deps, jobs, batch);
    return { done: true };
  }
  // A batch that is at the provider may have ended there in time, so its results are waited for a while longer.
  const until = batch.expires_at + (progress.id === undefined ? 0 : RESULTS_GRACE);
  if (until <= Date.now()) {
    await expire(deps, jobs, batch);
    return { done: true };
  }
  await note(deps, batch, passingErrors(error, until));
  const saved = ((await deps.queue.find(lease.queue, lease.key))?.checkpoint ?? {}) as RemoteProgress;
  await save(deps, lease, { ...saved, failures, missing });
  const pause = Math.min(MAX_PAUSE, FIRST_LOOK * 2 ** Math.min(failures, 10));
  return { again: Math.min(until, Date.now() + pause) };
}

/** Whether a provider has no batch API, or not for this batch: one that is too large for it, too. */
function lacksApi(error: GatewayError): boolean {
  return error.status === 413 || lacksBatches(error);
}

/** The gateway runs the rows that have no result yet; a cancelled batch only ends. */
async function runHere(deps: BatchDeps, jobs: BatchJobs, batch: BatchTableRow): Promise<void> {
  if (batch.status === "cancelling") return jobs.control("finish", batch.id);
  // Each row asks the budget itself now.
  const change = { runner: "gateway", errors: null };
  await deps.batches.change(batch.id, ["in_progress"], change, (db) => forgetHold(deps, batch.id, db));
  await startHere(jobs, batch);
}

async function startHere(jobs: BatchJobs, batch: BatchTableRow): Promise<void> {
  await jobs.control("finish", batch.id, { key: `deadline:${batch.id}` }, batch.expires_at);
  for (let from = 1; from <= batch.total; from += SLICE_ROWS) await jobs.slice(batch.id, from);
}

/** What is saved of a batch's way through its provider. */
interface RemoteProgress {
  /** When it was first sent, in milliseconds since the epoch; its answer may have been lost. */
  readonly sentAt?: number;
  /** The provider's id. */
  readonly id?: string;
  /** Whether the id is known from an answer, or from a name that only this batch has. */
  readonly isCertain?: boolean;
  /** Looks that found it running. */
  readonly looks?: number;
  /** Failed tries since the last one that went well. */
  readonly failures?: number;
  /** Of these, the last ones that found no batch under the id. */
  readonly missing?: number;
  /** Ids that turned out to be other batches. */
  readonly others?: readonly string[];
}

async function save(deps: BatchDeps, lease: Lease, progress: RemoteProgress): Promise<void> {
  await deps.queue.checkpoint(lease, { ...progress });
}

/**
 * Sends the batch, unless it turns out to have been sent before: by a process that died, or lost the connection, before
 * it knew the provider's id.
 * @returns the provider's id; `undefined` when the batch goes another way
 */
async function beginRemote(
  deps: BatchDeps,
  jobs: BatchJobs,
  run: RemoteRun,
  batch: BatchTableRow,
  lease: Lease,
): Promise<FoundBatch | undefined> {
  const { sentAt, others = [] } = (lease.checkpoint ?? {}) as RemoteProgress;
  if (sentAt !== undefined) {
    const found = await run.find(sentAt, others).catch((error: unknown) => {
      // A host may take batches and list none; sending says which it is.
      if (error instanceof GatewayError && lacksApi(error)) return undefined;
      throw error;
    });
    if (found !== undefined) return found;
  }
  if (batch.status === "cancelling") {
    await jobs.control("finish", batch.id);
    return undefined;
  }
  await save(deps, lease, { sentAt: sentAt ?? Date.now(), others });
  const id = await submit(deps, jobs, run, batch);
  return id === undefined ? undefined : { id, isCertain: true };
}

/** As if its owner had cancelled it. */
async function cancelRevoked(deps: BatchDeps, jobs: BatchJobs, batch: BatchTableRow): Promise<void> {
  const change = { status: "cancelling", cancelling_at: Date.now(), errors: batchErrors(REVOKED) } as const;
  await deps.batches.change(batch.id, ["in_progress"], change);
  deps.signals.changed(batch.id);
  await jobs.control("remote", batch.id, { key: `cancel:${batch.id}` });
}

/** Tells the provider. A batch that may be somebody else's is left alone; its end is waited for. */
async function cancelRemote(
  deps: BatchDeps,
  jobs: BatchJobs,
  run: RemoteRun,
  batch: BatchTableRow,
  queue: string,
): Promise<void> {
  const main = await deps.queue.find(queue, `remote:${batch.id}`);
  const { id, isCertain } = (main?.checkpoint ?? {}) as RemoteProgress;
  if (id === undefined) {
    if (main === undefined || main.state === "finished") await jobs.control("finish", batch.id);
  } else if (isCertain !== false) await run.cancel(id);
}

/** @returns the provider's id; `undefined` when the batch goes another way */
async function submit(
  deps: BatchDeps,
  jobs: BatchJobs,
  run: RemoteRun,
  batch: BatchTableRow,
): Promise<string | undefined> {
  try {
    const id = await run.submit();
    if (id === undefined) await jobs.control("finish", batch.id);
    return id;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    if (lacksApi(error) || error.status === 429 || error.status === 408) throw error;
    const errors = batchErrors({ code: error.type, message: error.message, param: error.param });
    const failed = { status: "failed", failed_at: Date.now(), errors } as const;
    await endBatch(deps, jobs, batch.id, ["in_progress"], failed);
    return undefined;
  }
}
