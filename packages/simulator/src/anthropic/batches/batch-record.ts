import type { JsonObject } from "../../util/json.ts";

/** One request of a message batch. */
export interface BatchRequest {
  readonly customId: string;
  readonly params: JsonObject;
}

/** A line of the results. */
export interface BatchResult {
  readonly custom_id: string;
  readonly result: JsonObject & { readonly type: "succeeded" | "errored" | "canceled" | "expired" };
}

/** A message batch; times in milliseconds. */
export interface MessageBatch {
  readonly id: string;
  readonly created: number;
  readonly expires: number;
  readonly requests: readonly BatchRequest[];
  readonly results: BatchResult[];
  status: "in_progress" | "canceling" | "ended";
  ended: number | undefined;
  cancelInitiated: number | undefined;
}

/**
 * The `message_batch` object.
 * @param base address of the API as the caller reached it, for `results_url`
 */
export function batchObject(batch: MessageBatch, base: string) {
  const ended = batch.status === "ended";
  const count = (type: BatchResult["result"]["type"]): number =>
    ended ? batch.results.filter((line) => line.result.type === type).length : 0;
  return {
    id: batch.id,
    type: "message_batch",
    processing_status: batch.status,
    // Anthropic counts results only when the whole batch has ended.
    request_counts: {
      processing: ended ? 0 : batch.requests.length,
      succeeded: count("succeeded"),
      errored: count("errored"),
      canceled: count("canceled"),
      expired: count("expired"),
    },
    ended_at: time(batch.ended),
    created_at: time(batch.created),
    expires_at: time(batch.expires),
    archived_at: null,
    cancel_initiated_at: time(batch.cancelInitiated),
    results_url: ended ? `${base}/v1/messages/batches/${batch.id}/results` : null,
  };
}

function time(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
