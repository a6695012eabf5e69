import type { Claim } from "../../platform/lease/claim-store.ts";

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
 * A batch whose rows the gateway stores: one that it runs itself, or that runs at a provider with another wire format.
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

/**
 * A batch on its way to a provider with OpenAI's API, until its owner is told of it. Its id is a hash of the request,
 * the same when it is sent again.
 */
export interface BatchSubmissionRow extends Claim {
  /**
   * `new`: nothing was sent; `sent`: the provider was asked; `lost`: it was, and whoever asked is gone; `accepted`: it
   * answered; `made`: the batch has its id with us.
   */
  state: "new" | "sent" | "lost" | "accepted" | "made";
  /** Names this one creation to the provider, however often it is sent. */
  token: string;
  /** JSON of the principal. */
  principal: string;
  /** As the caller named it. */
  input_file_id: string;
  webhook_url: string | null;
  provider: string;
  deployment_id: string | null;
  /** The input file's id at the provider; null as long as nothing was sent, as are the two that follow. */
  provider_file_id: string | null;
  /** JSON of what was sent. */
  body: string | null;
  sent_at: number | null;
  /** JSON of the provider's `batch` object. */
  answer: string | null;
  /** JSON of `Fallback`; null for those of before there were any. */
  fallback: string | null;
}

export interface BatchesSchema {
  batches: BatchTableRow;
  batch_submissions: BatchSubmissionRow;
  batch_rows: BatchRowRow;
}

declare module "../../platform/store/schema.ts" {
  interface Schema extends BatchesSchema {}
}
