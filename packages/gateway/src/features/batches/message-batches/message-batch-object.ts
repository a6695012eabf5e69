import type { JsonObject } from "../../../contract/json.ts";
import { finalStatuses } from "../store.ts";
import type { BatchTableRow } from "../table.ts";

const PREFIX = "batch_";
/** What Anthropic's ids begin with; clients tell objects apart by it. */
const SHOWN_PREFIX = "msgbatch_";
/** Milliseconds for which results are there (Anthropic API reference: Message Batches). */
export const RESULTS_LIVE = 29 * 24 * 3_600_000;

/** How the requests of a batch that has ended came out, but for those that were answered or refused. */
export interface UnansweredCounts {
  readonly canceled: number;
  readonly expired: number;
}

/** The id by which Anthropic's clients know a batch. */
export function shownId(id: string): string {
  return SHOWN_PREFIX + id.slice(PREFIX.length);
}

/** The batch's id of a shown one; both names lead to a batch. */
export function batchIdOf(shown: string): string {
  return shown.startsWith(SHOWN_PREFIX) ? PREFIX + shown.slice(SHOWN_PREFIX.length) : shown;
}

export function hasEnded({ status }: BatchTableRow): boolean {
  return finalStatuses.includes(status);
}

/**
 * The `message_batch` object (Anthropic API reference: Message Batches).
 * @param resultsUrl where the results are, once there are some
 */
export function messageBatch(
  batch: BatchTableRow,
  unanswered: UnansweredCounts,
  resultsUrl: string,
): JsonObject {
  const ended = hasEnded(batch);
  const archivedAt = batch.created_at + RESULTS_LIVE;
  const isArchived = archivedAt <= Date.now();
  return {
    id: shownId(batch.id),
    type: "message_batch",
    processing_status: ended ? "ended" : batch.status === "cancelling" ? "canceling" : "in_progress",
    request_counts: countsOf(batch, unanswered),
    ended_at: time(endOf(batch)),
    created_at: time(batch.created_at),
    expires_at: time(batch.expires_at),
    archived_at: isArchived ? time(archivedAt) : null,
    cancel_initiated_at: time(batch.cancelling_at),
    results_url: ended && !isArchived ? resultsUrl : null,
  };
}

/** Anthropic counts results only when the whole batch has ended. */
function countsOf(batch: BatchTableRow, { canceled, expired }: UnansweredCounts): JsonObject {
  const { total, completed, failed, status } = batch;
  if (!hasEnded(batch)) return { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  // A batch that failed as a whole answers none of its requests.
  const errored = status === "failed" ? total : failed - canceled - expired;
  return { processing: 0, succeeded: completed, errored, canceled, expired };
}

function endOf(batch: BatchTableRow): number | null {
  if (!hasEnded(batch)) return null;
  return batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;
}

function time(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
