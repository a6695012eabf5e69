import type { JsonObject } from "../../util/json.ts";

/** Status of a batch. */
export type BatchStatus =
  | "validating"
  | "failed"
  | "in_progress"
  | "finalizing"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled";

/** What is wrong with a line of a batch's input. */
export interface BatchError {
  readonly code: string;
  readonly line: number | null;
  readonly message: string;
  readonly param: string | null;
}

/** A batch; times in seconds since 1970 except `expiresMs`. */
export interface BatchRecord {
  readonly id: string;
  readonly endpoint: string;
  readonly inputFileId: string;
  readonly metadata: JsonObject | null;
  readonly created: number;
  readonly expiresMs: number;
  status: BatchStatus;
  /** When each status was reached. */
  readonly times: Partial<Record<BatchStatus, number>>;
  errors: BatchError[];
  outputFileId: string | null;
  errorFileId: string | null;
  model: string | null;
  readonly counts: { total: number; completed: number; failed: number };
  readonly usage: { input: number; output: number; reasoning: number };
}

/** The `batch` object. */
export function batchObject(batch: BatchRecord) {
  const at = (status: BatchStatus): number | null => batch.times[status] ?? null;
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    model: batch.model,
    errors: batch.errors.length === 0 ? null : { object: "list", data: batch.errors },
    input_file_id: batch.inputFileId,
    completion_window: "24h",
    status: batch.status,
    output_file_id: batch.outputFileId,
    error_file_id: batch.errorFileId,
    created_at: batch.created,
    in_progress_at: at("in_progress"),
    expires_at: Math.floor(batch.expiresMs / 1000),
    finalizing_at: at("finalizing"),
    completed_at: at("completed"),
    failed_at: at("failed"),
    expired_at: at("expired"),
    cancelling_at: at("cancelling"),
    cancelled_at: at("cancelled"),
    request_counts: { ...batch.counts },
    usage: {
      input_tokens: batch.usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: batch.usage.output,
      output_tokens_details: { reasoning_tokens: batch.usage.reasoning },
      total_tokens: batch.usage.input + batch.usage.output,
    },
    metadata: batch.metadata,
  };
}
