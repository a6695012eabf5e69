import { GatewayError } from "../../../contract/errors.ts";
import type { PassingBytes } from "../../../contract/json-body.ts";
import type { Principal } from "../../../contract/principal.ts";
import { describeError } from "../../../platform/log/describe-error.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import { memberSpans } from "../../../util/json-span.ts";
import { readBatchRow } from "../../files/batch-input.ts";
import { readPart } from "../../files/file-storage.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { type BatchJobs, SLICE_QUEUE, SLICE_ROWS } from "../batch-jobs.ts";
import { runnableEndpoints } from "../create-request.ts";
import type { BatchRowRow, BatchTableRow } from "../table.ts";
import type { RowCommitter } from "./row-committer.ts";
import type { RowGate } from "./row-gate.ts";
import { refused } from "./row-result.ts";
import { runRow, withRowModel } from "./run-row.ts";

/** Milliseconds that calls under way get to end before they are cut, when the batch is cancelled or the process ends. */
const GRACE = 2000;
/** Milliseconds between looks whether the batch was cancelled elsewhere. */
const LOOK_EVERY = 1000;

/** What slices share. */
export interface SliceTools {
  readonly jobs: BatchJobs;
  readonly gate: RowGate;
  readonly committer: RowCommitter;
  /** Until when models rest whose limits are exhausted, in milliseconds since the epoch. */
  readonly restingUntil: Map<string, number>;
}

/** Runs the rows of one slice that have no result yet. It may be left at any time: what has a result stays done. */
export async function runSlice(
  deps: BatchDeps,
  tools: SliceTools,
  { payload }: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const batchId = String(payload.batch);
  const [from, to] = [Number(payload.from), Number(payload.to)];
  const batch = await deps.batches.find(batchId);
  if (batch?.status !== "in_progress" || batch.input_key === null) return { done: true };
  const rows = await deps.batches.rows(batchId, ["waiting"], { from, to, limit: SLICE_ROWS });
  const run = new SliceRun(deps, tools, batch, signal);
  await run.rows(rows);
  const after = await deps.batches.find(batchId);
  if (after !== undefined && after.completed + after.failed >= after.total)
    await tools.jobs.control("finish", batchId);
  if (run.again === undefined) return { done: true };
  tools.jobs.wakeAt(SLICE_QUEUE, run.again);
  return { again: run.again };
}

class SliceRun {
  /** When rows that must wait may be tried. */
  again: number | undefined;
  readonly #deps: BatchDeps;
  readonly #tools: SliceTools;
  readonly #batch: BatchTableRow;
  readonly #remembered: Principal;
  /** No further row begins. */
  readonly #stop = new AbortController();
  /** Rows under way are cut. */
  readonly #cut = new AbortController();
  readonly #signal: AbortSignal;

  constructor(deps: BatchDeps, tools: SliceTools, batch: BatchTableRow, signal: AbortSignal) {
    this.#deps = deps;
    this.#tools = tools;
    this.#batch = batch;
    this.#remembered = JSON.parse(batch.principal) as Principal;
    this.#signal = signal;
  }

  async rows(rows: readonly BatchRowRow[]): Promise<void> {
    const over = new AbortController();
    const watching = this.#watch(over.signal);
    const halt = (): void => this.#halt();
    this.#signal.addEventListener("abort", halt);
    if (this.#signal.aborted) halt();
    try {
      // All of them: a slice that ended with rows under way would send these again when it is tried again.
      const ended = await Promise.allSettled(
        rows.map((row) => this.#tools.gate.run(row.line_length, () => this.#row(row))),
      );
      const failed = ended.find((row) => row.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    } finally {
      over.abort();
      this.#signal.removeEventListener("abort", halt);
      await watching;
    }
    if (this.#signal.aborted) throw new Error("The slice was interrupted");
  }

  /**
   * The key as it is now; one that is no longer valid fails the row. Asked for each row, since a slice of slow ones, and
   * all slices that began with it, may take as long as the whole batch.
   */
  async #principalNow(): Promise<Principal | GatewayError> {
    try {
      return await this.#deps.recallPrincipal(this.#remembered);
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  async #row(row: BatchRowRow): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const resting = this.#tools.restingUntil.get(this.#place()) ?? 0;
    const notBefore = Math.max(row.not_before, resting);
    if (notBefore > Date.now()) return this.#waitUntil(notBefore);
    const name = { batchId: this.#batch.id, line: row.line, customId: row.custom_id };
    const principal = await this.#principalNow();
    if (principal instanceof GatewayError) return this.#commit(refused(name, principal));
    const bytes = await readPart(this.#deps.storage, this.#batch.input_key!, row.line_from, row.line_length);
    const own = readBatchRow(bytes, row.line).body;
    const body = withRowModel(this.#deps, own, this.#batch.model, principal);
    const raw = body === own ? bodyBytes(bytes) : undefined;
    const format = runnableEndpoints.get(this.#batch.endpoint)!;
    const toRun = { ...name, format, body, raw, attempts: row.attempts };
    let outcome: Awaited<ReturnType<typeof runRow>>;
    try {
      outcome = await runRow(this.#deps.calls, toRun, principal, this.#cut.signal);
    } catch (error) {
      if (this.#cut.signal.aborted) return;
      throw error;
    }
    if ("result" in outcome) return this.#commit(outcome.result);
    if (outcome.isLimited) this.#tools.restingUntil.set(this.#place(), outcome.again);
    else await this.#deps.batches.postpone(this.#batch.id, row.line, row.attempts + 1, outcome.again);
    this.#waitUntil(outcome.again);
  }

  async #commit(result: Parameters<RowCommitter["commit"]>[1]): Promise<void> {
    const batch = await this.#tools.committer.commit(this.#batch.id, result);
    if (batch !== undefined && batch.completed + batch.failed >= batch.total)
      await this.#tools.jobs.control("finish", this.#batch.id);
    this.#deps.signals.changed(this.#batch.id);
  }

  #waitUntil(time: number): void {
    this.again = Math.min(this.again ?? Number.POSITIVE_INFINITY, time);
  }

  /** Rows of one key for one model meet the same limits. */
  #place(): string {
    return `${this.#batch.key_hash} ${this.#batch.model ?? this.#batch.id}`;
  }

  async #watch(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await this.#deps.signals.wait(this.#batch.id, LOOK_EVERY, over);
      if (over.aborted) return;
      let batch: BatchTableRow | undefined;
      try {
        batch = await this.#deps.batches.find(this.#batch.id);
      } catch (error) {
        // Nobody waits for this while the rows run: thrown on, it would end the process.
        this.#deps.logger.warn({ error: describeError(error) }, "a running batch could not be looked at");
        continue;
      }
      if (batch?.status === "in_progress" && batch.expires_at > Date.now()) continue;
      this.#halt();
      return;
    }
  }

  #halt(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    setTimeout(() => this.#cut.abort(new Error("The batch does not go on")), GRACE).unref();
  }
}

/**
 * The bytes of a line's `body`, which pass on as they are where the provider speaks the format.
 * @param line one that `readBatchRow` took: it refuses those with a member that stands twice
 */
function bodyBytes(line: Buffer): PassingBytes | undefined {
  const span = memberSpans(line).findLast(({ key }) => key === "body");
  return span && (line.subarray(span.valueStart, span.valueEnd) as PassingBytes);
}
