import type { Principal } from "../../../contract/principal.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { BatchDeps } from "../batch-deps.ts";
import type { BatchJobs } from "../batch-jobs.ts";
import type { BatchRowRow, BatchStatus, BatchTableRow, RowState } from "../table.ts";
import { endBatch } from "./end-batch.ts";
import { unansweredLine } from "./row-result.ts";

const ROWS_AT_ONCE = 200;
const open: readonly BatchStatus[] = ["validating", "in_progress", "finalizing", "cancelling"];

/**
 * Ends a batch whose rows are done, that was cancelled, or whose window is over: writes its files and gives it its
 * final status. Does nothing for a batch that still runs. When interrupted it is simply done again: files have
 * names that follow from the batch.
 */
export async function finishBatch(deps: BatchDeps, jobs: BatchJobs, batchId: string): Promise<void> {
  const batch = await deps.batches.find(batchId);
  if (batch === undefined || !open.includes(batch.status)) return;
  const status = await finalStatus(deps, batch);
  if (status === undefined) return;
  if (status === "expired" || status === "cancelled") await deps.batches.settleWaiting(batchId, status);
  else
    await deps.batches.change(batchId, ["in_progress"], { status: "finalizing", finalizing_at: Date.now() });
  deps.signals.changed(batchId);
  const output_file_id = await writeFile(deps, batch, "output", ["completed"]);
  const error_file_id = await writeFile(deps, batch, "error", ["failed", "expired", "cancelled"]);
  const ended = { output_file_id, error_file_id, [`${status}_at`]: Date.now() };
  if (!(await endBatch(deps, jobs, batchId, open, { status, ...ended }))) return;
  if (batch.input_key?.startsWith("input-")) await deps.storage.delete(batch.input_key);
}

async function finalStatus(
  { batches }: BatchDeps,
  batch: BatchTableRow,
): Promise<"completed" | "expired" | "cancelled" | undefined> {
  if (batch.status === "cancelling") return "cancelled";
  const [expired] = await batches.rows(batch.id, ["expired"], { limit: 1 });
  if (expired !== undefined) return "expired";
  const isDone = batch.status !== "validating" && batch.completed + batch.failed >= batch.total;
  if (isDone) return "completed";
  return batch.expires_at <= Date.now() && batch.runner === "gateway" ? "expired" : undefined;
}

/** Writes the lines of rows in some states into a file; `null` when there are none. */
async function writeFile(
  deps: BatchDeps,
  batch: BatchTableRow,
  kind: "output" | "error",
  states: readonly RowState[],
): Promise<string | null> {
  let rows = await deps.batches.rows(batch.id, states, { limit: ROWS_AT_ONCE });
  if (rows.length === 0) return null;
  const name = sha256(`${batch.id} ${kind}`);
  const writer = await deps.storage.create(`${kind}-${name.slice(0, 48)}`);
  let bytes: number;
  try {
    while (rows.length > 0) {
      await writer.write(Buffer.from(rows.map((row) => `${lineOf(row)}\n`).join("")));
      const from = rows.at(-1)!.line + 1;
      rows = await deps.batches.rows(batch.id, states, { from, limit: ROWS_AT_ONCE });
    }
    bytes = await writer.commit();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const expires = batch.output_expires_after;
  const file = await deps.files.keep(JSON.parse(batch.principal) as Principal, batch.provider, {
    id: `file-${Buffer.from(name, "hex").toString("base64url").slice(0, 32)}`,
    key: `${kind}-${name.slice(0, 48)}`,
    filename: `${batch.id}_${kind}.jsonl`,
    contentType: "application/jsonl",
    bytes,
    purpose: "batch_output",
    models: [],
    ...(expires === null ? {} : { expiresAt: Date.now() + expires * 1000 }),
  });
  return file.id;
}

function lineOf(row: BatchRowRow): string {
  if (row.result !== null) return row.result;
  const name = { batchId: row.batch_id, line: row.line, customId: row.custom_id };
  return unansweredLine(name, row.state === "expired" ? "batch_expired" : "batch_cancelled");
}
