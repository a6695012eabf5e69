/** Status of a batch (OpenAI API reference: Batch). */
export type BatchStatus =
  | "validating"
  | "failed"
  | "in_progress"
  | "finalizing"
  | "completed"
  | "expired"
  | "cancelling"
  | "cancelled";

/**
 * A batch whose rows the gateway keeps: one that it runs itself, or that runs at a provider with another wire format.
 * Times are milliseconds since the epoch.
 */
export interface BatchTableRow {
  id: string;
  tenant: string;
  key_hash: string;
  /** JSON of the principal as it was at the creation. */
  principal: string;
  /** `gateway`, or the provider that runs it. */
  runner: string;
  provider: string;
  deployment_id: string | null;
  /** The gateway's name of the model, where the batch has one for all its rows. */
  model: string | null;
  endpoint: string;
  input_file_id: string;
  /** Where the rows are in the file storage; null until a provider's file was fetched. */
  input_key: string | null;
  completion_window: string;
  /** JSON. */
  metadata: string | null;
  webhook_url: string | null;
  /** Seconds that the output files live. */
  output_expires_after: number | null;
  status: BatchStatus;
  total: number;
  completed: number;
  failed: number;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  /** JSON list of `{code, line, message, param}`. */
  errors: string | null;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: number;
  expires_at: number;
  in_progress_at: number | null;
  finalizing_at: number | null;
  completed_at: number | null;
  failed_at: number | null;
  expired_at: number | null;
  cancelling_at: number | null;
  cancelled_at: number | null;
}

export type RowState = "waiting" | "completed" | "failed" | "expired" | "cancelled";

/** One request of a batch; a result is written once, by whoever has it first. */
export interface BatchRowRow {
  batch_id: string;
  line: number;
  custom_id: string;
  /** Where the line is in the input file, in bytes. */
  line_from: number;
  line_length: number;
  state: RowState;
  attempts: number;
  /** Not before this time, after a failure that may pass. */
  not_before: number;
  /** The line of the output or error file. */
  result: string | null;
}

export interface BatchesSchema {
  batches: BatchTableRow;
  batch_rows: BatchRowRow;
}
