import type { GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { AddressedObject } from "../../../core/objects/locate-origin.ts";
import type { ObjectRow } from "../../../core/objects/objects-table.ts";
import type { JobQueue, Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { type BatchJobs, CONTROL_QUEUE } from "../batch-jobs.ts";
import { batchErrors, batchObject } from "../batch-object.ts";
import { forgetHold } from "../batch-spend.ts";
import { windowLength } from "../create-request.ts";
import { lacksBatches } from "../lacks-batches.ts";
import { type KeptFallback, nativeData } from "../provider-batches.ts";
import { nothingYet } from "../store.ts";
import type { BatchTableRow } from "../table.ts";
import { locateWatched, lookAt } from "./look-at.ts";

/** Looks in a row that must find nothing before a batch counts as lost, and milliseconds before the second one. */
const MISSING_LOOKS = 4;
const FIRST_PAUSE = 1000;

/**
 * Looks again, soon, for a batch that its provider took and then did not have, or whose results it does not have. When
 * it stays away the gateway takes it over: under the same id, with the same owner and the same share of the budget.
 */
export async function confirmMissing(
  deps: BatchDeps,
  jobs: BatchJobs,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const id = String(lease.payload.batch);
  if (!(await isWatched(deps.queue, id))) return { done: true };
  const batch = await locateWatched(deps, id);
  if (batch === undefined) return { done: true };
  const problem = await lookAt(deps, batch, signal).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (signal.aborted) throw signal.reason;
  if (!lacksBatches(problem)) return { done: true };
  const looks = Number(lease.checkpoint?.looks ?? 0) + 1;
  if (looks < MISSING_LOOKS) {
    await deps.queue.checkpoint(lease, { looks });
    return { again: Date.now() + FIRST_PAUSE * 2 ** (looks - 1) };
  }
  const { fallback, isCancelled = false } = nativeData(batch.row!);
  if (fallback === undefined) return { done: true };
  await deps.queue.cancel(CONTROL_QUEUE, `watch:${id}`);
  // Whoever has just accounted for it keeps it.
  if (!(await isWatched(deps.queue, id))) return { done: true };
  await takeOver(deps, jobs, batch, isCancelled ? "cancelling" : outcomeOf(fallback, batch, problem));
  return { done: true };
}

/** Whether nobody has seen the end of a provider's batch: one whose end was seen is over, wherever it is then. */
export async function isWatched(queue: JobQueue, id: string): Promise<boolean> {
  const watch = await queue.find(CONTROL_QUEUE, `watch:${id}`);
  return watch !== undefined && watch.state !== "finished" && watch.state !== "failed";
}

/** A batch that the gateway may run goes on; another one fails. */
function outcomeOf({ isAllowed }: KeptFallback, batch: AddressedObject, problem: GatewayError): TakenOver {
  if (isAllowed) return "validating";
  const message = `${lackOf(batch, problem)}, and its rows are for this provider only`;
  return { status: "failed", code: "batch_lost", message };
}

/** How a batch goes on that its provider does not have any more. */
export type TakenOver =
  | "validating"
  | "cancelling"
  | { readonly status: "failed" | "expired"; readonly code: string; readonly message: string };

/**
 * Makes a batch of a provider's one of the gateway's own, under its id. Doing it twice does it once.
 * @param batch one with a fallback
 */
export async function takeOver(
  deps: BatchDeps,
  jobs: BatchJobs,
  batch: AddressedObject,
  to: TakenOver,
): Promise<void> {
  const { id } = batch;
  const now = Date.now();
  const row = storedRow(batch);
  const ended = typeof to === "object" ? to : undefined;
  const taken: BatchTableRow = {
    ...row,
    status: ended?.status ?? (to as "validating" | "cancelling"),
    ...(to === "cancelling" ? { cancelling_at: now } : {}),
    ...(ended === undefined ? {} : { [`${ended.status}_at`]: now, errors: batchErrors(ended) }),
  };
  if ((await deps.batches.find(id)) === undefined)
    await deps.batches.insert(taken, async (db) => {
      if (ended !== undefined) {
        await forgetHold(deps, id, db);
        await jobs.control("webhook", id, {}, undefined, db);
      } else if (to === "cancelling") await jobs.control("finish", id, {}, undefined, db);
      else {
        await jobs.control("prepare", id, {}, undefined, db);
        await jobs.control("finish", id, { key: `deadline:${id}` }, taken.expires_at, db);
      }
    });
  deps.logger.warn(
    { batch: id, provider: batch.origin.provider, status: taken.status },
    "a batch was taken over",
  );
  deps.signals.changed(id);
  jobs.wakeAt(CONTROL_QUEUE, 0);
}

/** The row of a batch that the gateway runs in the place of its provider. */
function storedRow({ id, row, origin }: AddressedObject): BatchTableRow {
  const { fallback, shown = {} } = nativeData(row!);
  const { principal, endpoint, completionWindow, metadata, outputExpiresAfter, model, webhookUrl } =
    fallback!;
  return {
    ...nothingYet,
    id,
    tenant: row!.tenant,
    key_hash: principal.keyHash,
    principal: JSON.stringify(principal),
    runner: "gateway",
    provider: origin.provider,
    deployment_id: null,
    model,
    endpoint,
    input_file_id: String(shown.input_file_id),
    input_key: null,
    completion_window: completionWindow,
    metadata: metadata === null ? null : JSON.stringify(metadata),
    webhook_url: webhookUrl,
    output_expires_after: outputExpiresAfter,
    total: 0,
    created_at: row!.created_at,
    expires_at: endOfWindow(row!, completionWindow),
  };
}

/** When a batch's window is over, in milliseconds since the epoch. */
export function endOfWindow({ created_at }: Pick<ObjectRow, "created_at">, completionWindow: string): number {
  return created_at + windowLength(completionWindow);
}

/** The `batch` object while the gateway finds out whether its provider has lost it: it says what is wrong. */
export function missingBatch(batch: AddressedObject, problem: GatewayError): JsonObject {
  const message = `${lackOf(batch, problem)}; unless it turns up within seconds, ${whatFollows(batch)}`;
  const { isCancelled = false } = nativeData(batch.row!);
  const status = isCancelled ? "cancelling" : "in_progress";
  return batchObject({
    ...storedRow(batch),
    status,
    errors: batchErrors({ code: "batch_missing", message }),
  });
}

function whatFollows({ row }: AddressedObject): string {
  const { fallback, isCancelled = false } = nativeData(row!);
  if (isCancelled) return "it ends as cancelled";
  return fallback?.isAllowed === true ? "the gateway runs its rows itself" : "it ends as failed";
}

function lackOf({ origin }: AddressedObject, { status }: GatewayError): string {
  return `${origin.provider} answered ${status} for the batch or its results, although it had taken it`;
}
