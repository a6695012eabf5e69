import { ApiFailure } from "../../http/api-failure.ts";
import { throwStatusFault } from "../../http/status-fault.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { type JsonObject, objectOf, parseObject } from "../../util/json.ts";
import { linesOf } from "../../util/lines.ts";
import { pause } from "../../util/pause.ts";
import { generateCall } from "../content/generate-call.ts";
import { errorEnvelope } from "../error-envelope.ts";
import type { GoogleFileStore } from "../files/file-store.ts";
import type { BatchState, GoogleBatch } from "./batch-record.ts";

const ROWS_PER_TURN = 100;

/** What running a batch job needs. */
export interface BatchContext {
  readonly state: SimulatorState;
  readonly files: GoogleFileStore;
  /** Ends the work when the account is reset. */
  readonly signal: AbortSignal;
}

/** Takes a batch job from pending to its end. */
export async function runBatch(context: BatchContext, batch: GoogleBatch): Promise<void> {
  const { state, signal } = context;
  const enter = (next: BatchState): void => {
    batch.state = next;
    batch.updated = state.clock();
    if (next !== "RUNNING") batch.ended = batch.updated;
  };
  await pause(state.settings.batchValidatingMs, signal);
  if (batch.cancelled) return enter("CANCELLED");
  enter("RUNNING");
  await pause(state.settings.batchRunningMs, signal);
  const finished =
    batch.inline === undefined ? await runFile(context, batch) : await runInline(context, batch);
  if (!finished)
    return enter(batch.cancelled ? "CANCELLED" : batch.error === undefined ? "EXPIRED" : "FAILED");
  await pause(state.settings.batchFinalizingMs, signal);
  enter(batch.cancelled ? "CANCELLED" : "SUCCEEDED");
}

async function runInline(context: BatchContext, batch: GoogleBatch): Promise<boolean> {
  for (const [index, row] of (batch.inline ?? []).entries()) {
    if (index % ROWS_PER_TURN === 0) await pause(0, context.signal);
    if (isOver(context, batch)) return false;
    const answer = await answerRow(context, batch, objectOf(row.request));
    batch.responses.push(row.metadata === undefined ? answer : { ...answer, metadata: row.metadata });
  }
  return true;
}

async function runFile(context: BatchContext, batch: GoogleBatch): Promise<boolean> {
  const { state, files, signal } = context;
  const input = files.get(batch.inputFile ?? "");
  const writer = await state.blobs.create();
  for await (const text of linesOf(state.blobs.read(input.blob))) {
    signal.throwIfAborted();
    if (text.trim() === "") continue;
    const row = parseObject(text);
    if (row === undefined) batch.error = "The input file has a line that is not a JSON object.";
    if (row === undefined || isOver(context, batch)) {
      await state.blobs.delete(await writer.close());
      return false;
    }
    batch.counts.total += 1;
    const answer = await answerRow(context, batch, objectOf(row.request));
    await writer.write(`${JSON.stringify({ key: row.key, ...answer })}\n`);
  }
  const blob = await writer.close();
  const name = `files/batch-${batch.name.replace("batches/", "")}`;
  const file = {
    name,
    displayName: undefined,
    mimeType: "application/jsonl",
    created: state.clock(),
    blob,
    sha256: "",
  };
  files.add({ ...file, source: "GENERATED" });
  batch.outputFile = name;
  return true;
}

function isOver({ state }: BatchContext, batch: GoogleBatch): boolean {
  return batch.cancelled || state.clock() >= batch.expires;
}

async function answerRow(
  { state, signal }: BatchContext,
  batch: GoogleBatch,
  request: JsonObject,
): Promise<JsonObject> {
  try {
    const options = { seed: JSON.stringify(request), stream: false, frame: () => "", ending: "" };
    const call = generateCall(state, batch.model, request, options);
    const behaviour = call.directives?.behaviour ?? {};
    if (behaviour.latencyMs !== undefined) await pause(behaviour.latencyMs, signal);
    throwStatusFault(behaviour);
    const answer = { response: call.json() };
    batch.counts.succeeded += 1;
    return answer;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    batch.counts.failed += 1;
    return { error: errorEnvelope(error).error as JsonObject };
  }
}
