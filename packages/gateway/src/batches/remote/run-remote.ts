import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import type { DialectFormat } from "../../dialects/registry.ts";
import { readBatchRow } from "../../files/batch-input.ts";
import { readPart } from "../../files/file-storage.ts";
import type { RowResult } from "../../persistence/batch-store.ts";
import type { BatchRowRow, BatchTableRow } from "../../persistence/tables/batches-table.ts";
import type { Lease } from "../../queue/job-queue.ts";
import type { JobOutcome } from "../../queue/worker.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { type BatchJobs, sliceRows } from "../batch-jobs.ts";
import { costOfUsage, insertBatchSpend } from "../batch-spend.ts";
import { runnableEndpoints } from "../create-request.ts";
import { internalContext } from "../internal-context.ts";
import { answered, refused, unansweredLine } from "../row-result.ts";
import { anthropicBatches } from "./anthropic-batches.ts";
import { geminiBatches } from "./gemini-batches.ts";
import type { RemoteApi, RemoteContext, RemoteResult, RemoteRow } from "./remote-api.ts";
import { type CallerRow, fromRemoteAnswer, toRemoteRequest } from "./translate-row.ts";

const apis: Readonly<Record<string, RemoteApi>> = { anthropic: anthropicBatches, gemini: geminiBatches };

/** Milliseconds between looks: soon at first, then every minute. */
const firstLook = 1000;
const longestPause = 60_000;
const rowsAtOnce = 100;
/** What a provider answers that has no batch API, or not for this batch. */
const lacksApi = [404, 405, 413, 501];

/**
 * Runs a batch at a provider with a wire format of its own: sends the rows, looks until it is over, and takes the
 * results over as if the rows had run here. Where the provider has no batch API the gateway runs the rows itself.
 */
export async function runRemote(
  deps: BatchDeps,
  jobs: BatchJobs,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const batch = await deps.batches.find(String(lease.payload.batch));
  if (batch === undefined || !["in_progress", "cancelling"].includes(batch.status)) return { done: true };
  const run = new RemoteRun(deps, batch, signal);
  const isMain = lease.key === `remote:${batch.id}`;
  if (!isMain) {
    const main = await deps.queue.find(lease.queue, `remote:${batch.id}`);
    const id = main?.checkpoint?.id;
    if (typeof id === "string") await run.cancel(id);
    else if (main === undefined || main.state === "finished") await jobs.control("finish", batch.id);
    return { done: true };
  }
  const id = lease.checkpoint?.id;
  if (typeof id !== "string") {
    if (batch.status === "cancelling") {
      await jobs.control("finish", batch.id);
      return { done: true };
    }
    const made = await submit(deps, jobs, run, batch);
    if (made === undefined) return { done: true };
    await deps.queue.checkpoint(lease, { id: made, looks: 0 });
    return { again: Date.now() + firstLook };
  }
  const looks = Number(lease.checkpoint?.looks ?? 0);
  if (!(await run.takeResults(id))) {
    await deps.queue.checkpoint(lease, { id, looks: looks + 1 });
    return { again: Date.now() + Math.min(longestPause, firstLook * 1.2 ** looks) };
  }
  await jobs.control("finish", batch.id);
  return { done: true };
}

/** @returns the provider's id; `undefined` when the batch goes another way */
async function submit(
  deps: BatchDeps,
  jobs: BatchJobs,
  run: RemoteRun,
  batch: BatchTableRow,
): Promise<string | undefined> {
  try {
    return await run.submit();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    if (lacksApi.includes(error.status)) {
      await deps.batches.change(batch.id, ["in_progress"], { runner: "gateway" });
      await jobs.control("finish", batch.id, { key: `deadline:${batch.id}` }, batch.expires_at);
      for (let from = 1; from <= batch.total; from += sliceRows) await jobs.slice(batch.id, from);
      return undefined;
    }
    if (error.status === 429) throw error;
    const errors = [{ code: error.type, line: null, message: error.message, param: error.param ?? null }];
    const failed = { status: "failed", failed_at: Date.now(), errors: JSON.stringify(errors) } as const;
    await deps.batches.change(batch.id, ["in_progress"], failed);
    deps.signals.changed(batch.id);
    await jobs.control("webhook", batch.id);
    return undefined;
  }
}

class RemoteRun {
  readonly #deps: BatchDeps;
  readonly #batch: BatchTableRow;
  readonly #api: RemoteApi;
  readonly #context: RemoteContext;
  readonly #format: DialectFormat;

  constructor(deps: BatchDeps, batch: BatchTableRow, signal: AbortSignal) {
    this.#deps = deps;
    this.#batch = batch;
    this.#api = apis[batch.runner]!;
    const { deployments } = deps.config.current();
    const deployment = deployments.find(({ id }) => id === batch.deployment_id);
    this.#context = {
      ...internalContext("abatch_row", signal),
      client: deps.files.client,
      origin: { deployment, provider: batch.runner },
      provider: deps.findProvider(batch.runner)!,
      model: deployment?.model.includes("*") === false ? deployment.model : (batch.model ?? ""),
    };
    this.#format = runnableEndpoints.get(batch.endpoint) as DialectFormat;
  }

  async submit(): Promise<string> {
    const first = await this.#deps.batches.rows(this.#batch.id, ["waiting"], { limit: 1 });
    const model = first[0] && (await this.#callerRow(first[0])).body.model;
    const context = this.#withModel(model);
    return this.#api.submit(context, this.#rows(), this.#batch.id);
  }

  cancel(id: string): Promise<void> {
    return this.#api.cancel(this.#context, id);
  }

  /** @returns whether the batch is over, with every row settled */
  async takeResults(id: string): Promise<boolean> {
    const results = await this.#api.results(this.#context, id);
    if (results === undefined) return false;
    let waiting: RowResult[] = [];
    for await (const result of results) {
      const row = await this.#rowAt(result.line);
      if (row === undefined) continue;
      waiting.push(await this.#settled(row, result.outcome));
      if (waiting.length < rowsAtOnce) continue;
      await this.#deps.batches.settleRows(this.#batch.id, waiting);
      waiting = [];
    }
    await this.#deps.batches.settleRows(this.#batch.id, waiting);
    await this.#settleMissing();
    await this.#account();
    this.#deps.signals.changed(this.#batch.id);
    return true;
  }

  async *#rows(): AsyncGenerator<RemoteRow> {
    for (let from = 1; ; ) {
      const rows = await this.#deps.batches.rows(this.#batch.id, ["waiting"], { from, limit: rowsAtOnce });
      if (rows.length === 0) return;
      for (const row of rows) {
        const caller = await this.#callerRow(row);
        const context = this.#withModel(caller.body.model);
        try {
          yield { line: row.line, request: await toRemoteRequest(this.#deps.calls, context, caller) };
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          const name = { batchId: this.#batch.id, line: row.line, customId: row.custom_id };
          await this.#deps.batches.settleRows(this.#batch.id, [refused(name, error)]);
        }
      }
      from = rows.at(-1)!.line + 1;
    }
  }

  /** Without a deployment the rows themselves name the provider's model. */
  #withModel(model: unknown): RemoteContext {
    if (this.#context.model !== "" || typeof model !== "string") return this.#context;
    return { ...this.#context, model };
  }

  async #callerRow(row: BatchRowRow): Promise<CallerRow> {
    const { storage } = this.#deps;
    const bytes = await readPart(storage, this.#batch.input_key!, row.line_from, row.line_length);
    const { body } = readBatchRow(bytes, row.line);
    return { batchId: this.#batch.id, line: row.line, format: this.#format, body };
  }

  async #rowAt(line: number): Promise<BatchRowRow | undefined> {
    const range = { from: line, to: line + 1, limit: 1 };
    return (await this.#deps.batches.rows(this.#batch.id, ["waiting"], range))[0];
  }

  async #settled(row: BatchRowRow, outcome: RemoteResult["outcome"]): Promise<RowResult> {
    const name = { batchId: this.#batch.id, line: row.line, customId: row.custom_id };
    if (outcome === "expired" || outcome === "cancelled")
      return {
        ...nothingUsed,
        line: row.line,
        state: outcome,
        result: unansweredLine(name, `batch_${outcome}`),
      };
    if ("error" in outcome) return answered(name, outcome.status, JSON.stringify(outcome.error), undefined);
    const caller = await this.#callerRow(row);
    const context = this.#withModel(caller.body.model);
    const { body, usage } = await fromRemoteAnswer(this.#deps.calls, context, caller, outcome.answer);
    return answered(name, 200, JSON.stringify(body), usage);
  }

  /** Rows of which the provider says nothing share the fate of the batch. */
  async #settleMissing(): Promise<void> {
    const batch = await this.#deps.batches.find(this.#batch.id);
    const state = batch?.status === "cancelling" ? "cancelled" : "expired";
    await this.#deps.batches.settleWaiting(this.#batch.id, state);
  }

  async #account(): Promise<void> {
    const batch = await this.#deps.batches.find(this.#batch.id);
    if (batch === undefined) return;
    const usage: Usage = {
      ...noUsage,
      input: batch.input_tokens,
      output: batch.output_tokens,
      cacheRead: batch.cached_tokens,
      reasoning: batch.reasoning_tokens,
    };
    const { origin, model } = this.#context;
    await insertBatchSpend(this.#deps, {
      batchId: batch.id,
      principal: JSON.parse(batch.principal) as Principal,
      origin,
      model: batch.model ?? model,
      status: "success",
      startedAt: batch.created_at,
      usage,
      cost: costOfUsage(this.#deps, origin, model, usage),
    });
  }
}

const nothingUsed: Pick<RowResult, "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens"> = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};
