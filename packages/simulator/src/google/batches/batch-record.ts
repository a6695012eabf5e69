import type { JsonObject, JsonValue } from "../../util/json.ts";

/** State of a batch job. */
export type BatchState = "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "EXPIRED";

/** A batch job; times in milliseconds. */
export interface GoogleBatch {
  /** `batches/` and an id. */
  readonly name: string;
  readonly model: string;
  readonly displayName: string;
  readonly created: number;
  readonly expires: number;
  /** Rows given in the request; absent when they are in a file. */
  readonly inline: readonly JsonObject[] | undefined;
  /** Name of the input file. */
  readonly inputFile: string | undefined;
  state: BatchState;
  updated: number;
  ended: number | undefined;
  cancelled: boolean;
  counts: { total: number; succeeded: number; failed: number };
  /** Answers to inline rows, in their order. */
  readonly responses: JsonObject[];
  /** Name of the file with the answers to a file's rows. */
  outputFile: string | undefined;
  error: string | undefined;
}

/** The long-running operation that stands for a batch job. */
export function batchOperation(batch: GoogleBatch): JsonObject {
  const done = batch.ended !== undefined;
  const output = outputOf(batch);
  const metadata: JsonObject = {
    "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
    name: batch.name,
    model: `models/${batch.model}`,
    displayName: batch.displayName,
    createTime: new Date(batch.created).toISOString(),
    updateTime: new Date(batch.updated).toISOString(),
    batchStats: stats(batch),
    state: `BATCH_STATE_${batch.state}`,
  };
  if (batch.ended !== undefined) metadata.endTime = new Date(batch.ended).toISOString();
  if (batch.inputFile !== undefined) metadata.inputConfig = { fileName: batch.inputFile };
  if (done) metadata.output = output;
  const operation: JsonObject = { name: batch.name, metadata };
  if (!done) return operation;
  if (batch.state !== "SUCCEEDED") {
    const code = batch.state === "CANCELLED" ? 1 : batch.state === "EXPIRED" ? 4 : 3;
    return {
      ...operation,
      done,
      error: { code, message: batch.error ?? `The batch is ${batch.state.toLowerCase()}.` },
    };
  }
  const type = "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatchOutput";
  return { ...operation, done, response: { "@type": type, ...output } };
}

function outputOf(batch: GoogleBatch): JsonObject {
  return batch.outputFile === undefined
    ? { inlinedResponses: { inlinedResponses: batch.responses as JsonValue[] } }
    : { responsesFile: batch.outputFile };
}

// Google writes 64-bit counts as strings and leaves out those that are zero.
function stats({ counts }: GoogleBatch): JsonObject {
  const pending = counts.total - counts.succeeded - counts.failed;
  const shown: JsonObject = { requestCount: String(counts.total) };
  if (counts.succeeded > 0) shown.successfulRequestCount = String(counts.succeeded);
  if (counts.failed > 0) shown.failedRequestCount = String(counts.failed);
  if (pending > 0) shown.pendingRequestCount = String(pending);
  return shown;
}
