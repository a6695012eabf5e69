import { GatewayError, invalidRequest } from "../../../contract/errors.ts";
import type { Principal } from "../../../contract/principal.ts";
import { BatchInputCheck, batchRows } from "../../files/batch-input.ts";
import { requireVisibleRows } from "../../files/visible-rows.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { type BatchJobs, SLICE_ROWS } from "../batch-jobs.ts";
import { batchErrors, passingErrors } from "../batch-object.ts";
import { internalContext } from "../batch-spend.ts";
import { takeProviderResults } from "../provider/take-results.ts";
import type { BatchRowRow, BatchTableRow } from "../table.ts";
import { endBatch } from "./end-batch.ts";

const ROWS_AT_ONCE = 500;

/** Takes a batch from `validating` to `in_progress`: its rows are found and stand in the store, or it fails. */
export async function prepareBatch(
  deps: BatchDeps,
  jobs: BatchJobs,
  batchId: string,
  signal: AbortSignal,
): Promise<void> {
  const batch = await deps.batches.find(batchId);
  if (batch === undefined) return;
  if (batch.status === "in_progress") return startRows(jobs, batch);
  if (batch.status !== "validating") return;
  try {
    const key = batch.input_key ?? (await fetchInput(deps, batch, signal));
    const total = await addRows(deps, batch, key, signal);
    await takeProviderResults(deps, batch, signal);
    const change = {
      status: "in_progress",
      in_progress_at: Date.now(),
      total,
      input_key: key,
      errors: null,
    } as const;
    if (!(await deps.batches.change(batchId, ["validating"], change))) return;
    await deps.storage.keep?.(key);
    deps.signals.changed(batchId);
    await startRows(jobs, { ...batch, ...change });
  } catch (error) {
    if (!(error instanceof GatewayError) || signal.aborted) throw error;
    const passes = error.status >= 500 || error.status === 429 || error.status === 408;
    if (!passes || batch.expires_at <= Date.now()) return fail(deps, jobs, batch, error);
    await note(deps, batch, error);
    throw error;
  }
}

async function startRows(jobs: BatchJobs, batch: BatchTableRow): Promise<void> {
  if (batch.runner !== "gateway") return jobs.control("remote", batch.id);
  for (let from = 1; from <= batch.total; from += SLICE_ROWS) await jobs.slice(batch.id, from);
}

/** A provider's file is copied first: its rows are then read one by one. */
async function fetchInput(deps: BatchDeps, batch: BatchTableRow, signal: AbortSignal): Promise<string> {
  const principal = JSON.parse(batch.principal) as Principal;
  const located = await deps.files.locate(batch.input_file_id, principal);
  const content = await deps.files.open(located, internalContext("abatch_input", signal), principal);
  const key = `input-${batch.id.replace(/[^A-Za-z0-9-]/g, "-").toLowerCase()}`;
  const writer = await deps.storage.create(key);
  const check = new BatchInputCheck();
  try {
    for await (const chunk of content) {
      check.push(chunk);
      await writer.write(chunk);
    }
    check.end();
    await requireVisibleRows(deps.ownership, check.references, principal);
    await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  return key;
}

/** Rows are numbered without gaps, so that slices are full; their places in the file stay exact. */
async function addRows(
  deps: BatchDeps,
  batch: BatchTableRow,
  key: string,
  signal: AbortSignal,
): Promise<number> {
  let waiting: BatchRowRow[] = [];
  let count = 0;
  for await (const { row, line } of batchRows(deps.storage.read(key))) {
    signal.throwIfAborted();
    if (row.url !== batch.endpoint) throw mismatch(line.number, batch.endpoint);
    count += 1;
    waiting.push({
      batch_id: batch.id,
      line: count,
      custom_id: row.customId,
      line_from: line.from,
      line_length: line.bytes.length,
      state: "waiting",
      attempts: 0,
      not_before: 0,
      result: null,
    });
    if (waiting.length < ROWS_AT_ONCE) continue;
    await deps.batches.addRows(waiting);
    waiting = [];
  }
  await deps.batches.addRows(waiting);
  return count;
}

function mismatch(line: number, endpoint: string): GatewayError {
  const message = `Invalid batch input: line ${line} has another url than the batch's endpoint ${endpoint}`;
  return invalidRequest(message, "file");
}

/** The batch says why it does not begin yet. */
async function note(deps: BatchDeps, batch: BatchTableRow, error: GatewayError): Promise<void> {
  const errors = passingErrors(error, batch.expires_at);
  await deps.batches.change(batch.id, ["validating"], { errors });
  deps.signals.changed(batch.id);
}

async function fail(
  deps: BatchDeps,
  jobs: BatchJobs,
  batch: BatchTableRow,
  error: GatewayError,
): Promise<void> {
  const [, line] = /line (\d+)/.exec(error.message) ?? [];
  const errors = batchErrors({
    code: error.providerCode ?? "invalid_input_file",
    line: line === undefined ? null : Number(line),
    message: error.message,
    param: error.param,
  });
  const change = { status: "failed", failed_at: Date.now(), errors } as const;
  await endBatch(deps, jobs, batch.id, ["validating"], change);
}
