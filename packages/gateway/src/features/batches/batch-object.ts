import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { BatchTableRow } from "./table.ts";

/** The `batch` object (OpenAI API reference: Batch) of a batch that the gateway stores. */
export function batchObject(batch: BatchTableRow): JsonObject {
  const errors = batch.errors === null ? null : { object: "list", data: JSON.parse(batch.errors) as unknown };
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    model: batch.model,
    errors,
    input_file_id: batch.input_file_id,
    completion_window: batch.completion_window,
    status: batch.status,
    output_file_id: batch.output_file_id,
    error_file_id: batch.error_file_id,
    created_at: Math.floor(batch.created_at / 1000),
    in_progress_at: seconds(batch.in_progress_at),
    expires_at: seconds(batch.expires_at),
    finalizing_at: seconds(batch.finalizing_at),
    completed_at: seconds(batch.completed_at),
    failed_at: seconds(batch.failed_at),
    expired_at: seconds(batch.expired_at),
    cancelling_at: seconds(batch.cancelling_at),
    cancelled_at: seconds(batch.cancelled_at),
    request_counts: { total: batch.total, completed: batch.completed, failed: batch.failed },
    usage: {
      input_tokens: batch.input_tokens,
      input_tokens_details: { cached_tokens: batch.cached_tokens },
      output_tokens: batch.output_tokens,
      output_tokens_details: { reasoning_tokens: batch.reasoning_tokens },
      total_tokens: batch.input_tokens + batch.output_tokens,
    },
    metadata: batch.metadata === null ? null : (JSON.parse(batch.metadata) as unknown),
  };
}

/** What is wrong with a whole batch, or with a line of its input file. */
export interface BatchProblem {
  readonly code: string;
  readonly message: string;
  readonly line?: number | null | undefined;
  readonly param?: string | null | undefined;
}

/** The column `errors` of a batch with one problem (OpenAI API reference: Batch, `errors.data`). */
export function batchErrors({ code, line, message, param }: BatchProblem): string {
  return JSON.stringify([{ code, line: line ?? null, message, param: param ?? null }]);
}

/** The column `errors` of a batch that goes on although something failed, until it is over. */
export function passingErrors(error: GatewayError, until: number): string {
  const message = `${error.message} (tried again until ${new Date(until).toISOString()})`;
  return batchErrors({ code: error.providerCode ?? error.type, message });
}

function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000);
}
