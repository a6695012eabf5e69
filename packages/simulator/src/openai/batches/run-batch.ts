import { ApiFailure } from "../../http/api-failure.ts";
import { throwStatusFault } from "../../http/status-fault.ts";
import type { BlobWriter } from "../../state/blob-store.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { seconds } from "../../util/clock.ts";
import { type JsonObject, numberOf, objectOf } from "../../util/json.ts";
import { linesOf } from "../../util/lines.ts";
import { pause } from "../../util/pause.ts";
import type { OpenAiAccount } from "../account.ts";
import { errorEnvelope } from "../error-envelope.ts";
import type { StoredFile } from "../files/file-store.ts";
import type { Flavour } from "../flavour.ts";
import { modelCallAt } from "../model-calls.ts";
import { BatchLineReader, isBatchError } from "./batch-lines.ts";
import type { BatchRecord, BatchStatus } from "./batch-record.ts";

const MAX_ERRORS = 100;
const MAX_ROWS = 50_000;

/** What running a batch needs. */
export interface BatchContext {
  readonly state: SimulatorState;
  readonly account: OpenAiAccount;
  readonly flavour: Flavour;
  /** Ends the work when the account is reset. */
  readonly signal: AbortSignal;
}

/** Takes a batch from `validating` to its end. Ends early, without a trace, when the account is reset. */
export async function runBatch(context: BatchContext, batch: BatchRecord, input: StoredFile): Promise<void> {
  const { state, signal } = context;
  const enter = (status: BatchStatus): void => {
    batch.status = status;
    batch.times[status] = seconds(state.clock);
  };
  await pause(state.settings.batchValidatingMs, signal);
  await validate(context, batch, input);
  if (batch.status === "cancelling") return enter("cancelled");
  if (batch.errors.length > 0) return enter("failed");
  enter("in_progress");
  await pause(state.settings.batchRunningMs, signal);
  const expired = await runRows(context, batch, input);
  if (expired) return enter("expired");
  if (isCancelling(batch)) return enter("cancelled");
  enter("finalizing");
  await pause(state.settings.batchFinalizingMs, signal);
  enter(isCancelling(batch) ? "cancelled" : "completed");
}

// The status changes while rows run, which the compiler cannot see.
function isCancelling(batch: BatchRecord): boolean {
  return batch.status === "cancelling";
}

async function validate({ state }: BatchContext, batch: BatchRecord, input: StoredFile): Promise<void> {
  const reader = new BatchLineReader(batch.endpoint);
  let line = 0;
  for await (const text of linesOf(state.blobs.read(input.blob))) {
    line += 1;
    if (text.trim() === "") continue;
    const read = reader.read(text, line);
    batch.counts.total += 1;
    if (isBatchError(read)) batch.errors.push(read);
    else batch.model ??= typeof read.body.model === "string" ? read.body.model : null;
    if (batch.errors.length >= MAX_ERRORS) break;
  }
  if (batch.counts.total === 0) {
    const message = "The file is empty. Please ensure that the batch contains at least one request.";
    batch.errors.push({ code: "empty_file", line: null, message, param: null });
  }
  if (batch.counts.total > MAX_ROWS) {
    const message = `The batch has more than ${MAX_ROWS} requests.`;
    batch.errors.push({ code: "too_many_requests", line: null, message, param: null });
  }
  if (batch.errors.length > 0) batch.counts.total = 0;
}

async function runRows(context: BatchContext, batch: BatchRecord, input: StoredFile): Promise<boolean> {
  const { state, signal } = context;
  const reader = new BatchLineReader(batch.endpoint);
  const output = await state.blobs.create();
  const errors = await state.blobs.create();
  let expired = false;
  for await (const text of linesOf(state.blobs.read(input.blob))) {
    signal.throwIfAborted();
    if (text.trim() === "") continue;
    if (isCancelling(batch)) break;
    const row = reader.read(text, 0);
    if (isBatchError(row)) continue;
    expired ||= state.clock() >= batch.expiresMs;
    const head = { id: state.ids.next("batch_req_", row.customId), custom_id: row.customId };
    if (expired) {
      const message = "This request could not be executed before the completion window expired.";
      await writeLine(errors, { ...head, response: null, error: { code: "batch_expired", message } });
      batch.counts.failed += 1;
      continue;
    }
    const response = await answerRow(context, batch.endpoint, row.body);
    const failed = response.status_code >= 400;
    await writeLine(failed ? errors : output, { ...head, response, error: null });
    batch.counts[failed ? "failed" : "completed"] += 1;
    addUsage(batch, objectOf(response.body.usage));
  }
  batch.outputFileId = await keep(context, batch, output, "output");
  batch.errorFileId = await keep(context, batch, errors, "error");
  return expired;
}

async function answerRow(
  { state, account, flavour, signal }: BatchContext,
  endpoint: string,
  body: JsonObject,
) {
  const requestId = state.ids.next("req_");
  try {
    if (body.stream === true) throw new ApiFailure(400, "Streaming is not supported in the Batch API.");
    const path = endpoint.replace(/^\/v1/, "");
    const call = modelCallAt(path, state, account, body, { flavour, seed: JSON.stringify(body) });
    const behaviour = call.directives?.behaviour ?? {};
    if (behaviour.latencyMs !== undefined) await pause(behaviour.latencyMs, signal);
    throwStatusFault(behaviour);
    return { status_code: 200, request_id: requestId, body: call.json() };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return {
      status_code: error.status,
      request_id: requestId,
      body: errorEnvelope(error) as unknown as JsonObject,
    };
  }
}

function addUsage(batch: BatchRecord, usage: JsonObject): void {
  const details = objectOf(usage.completion_tokens_details ?? usage.output_tokens_details);
  batch.usage.input += numberOf(usage.prompt_tokens ?? usage.input_tokens) ?? 0;
  batch.usage.output += numberOf(usage.completion_tokens ?? usage.output_tokens) ?? 0;
  batch.usage.reasoning += numberOf(details.reasoning_tokens) ?? 0;
}

function writeLine(writer: BlobWriter, line: unknown): Promise<void> {
  return writer.write(`${JSON.stringify(line)}\n`);
}

async function keep(
  { state, account }: BatchContext,
  batch: BatchRecord,
  writer: BlobWriter,
  kind: "output" | "error",
): Promise<string | null> {
  const blob = await writer.close();
  if (blob.bytes === 0) {
    await state.blobs.delete(blob);
    return null;
  }
  const id = state.ids.next("file-", batch.id);
  const filename = `${batch.id}_${kind}.jsonl`;
  account.files.add({
    id,
    created: seconds(state.clock),
    expires: undefined,
    filename,
    purpose: "batch_output",
    blob,
  });
  return id;
}
