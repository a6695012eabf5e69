import { GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import { noUsage, type Usage } from "../../../contract/usage.ts";
import { rowAt } from "../../../core/call/batch-row.ts";
import { replaceReferences } from "../../../core/call/request-references.ts";
import { translatedError } from "../../../core/call/translated-attempt.ts";
import { insertLateSpend } from "../../../core/objects/late-spend.ts";
import { directDeployment, modelAtProvider } from "../../../core/routing/direct-deployment.ts";
import type { DialectFormat } from "../../../formats/registry.ts";
import { readBatchRow } from "../../files/batch-input.ts";
import { readPart } from "../../files/file-storage.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { BATCH_COST, costOfUsage, internalContext } from "../batch-spend.ts";
import { runnableEndpoints } from "../create-request.ts";
import { answered, refused, unansweredLine } from "../run/row-result.ts";
import type { RowResult } from "../store.ts";
import type { BatchRowRow, BatchTableRow } from "../table.ts";
import { anthropicBatches } from "./anthropic-batches.ts";
import { geminiBatches } from "./gemini-batches.ts";
import type { FoundBatch, RemoteApi, RemoteContext, RemoteResult, RemoteRow } from "./remote-api.ts";
import { type CallerRow, fromRemoteAnswer, toRemoteRequest } from "./translate-row.ts";

const apis: Readonly<Record<string, RemoteApi>> = { anthropic: anthropicBatches, gemini: geminiBatches };

const ROWS_AT_ONCE = 100;

/** One batch at a provider with a wire format of its own. */
export class RemoteRun {
  readonly #deps: BatchDeps;
  readonly #batch: BatchTableRow;
  readonly #api: RemoteApi;
  readonly #context: RemoteContext;
  readonly #format: DialectFormat;

  constructor(deps: BatchDeps, batch: BatchTableRow, signal: AbortSignal) {
    this.#deps = deps;
    this.#batch = batch;
    this.#api = apis[batch.runner]!;
    const { deployments } = deps.config.current;
    const deployment = deployments.find(({ id }) => id === batch.deployment_id);
    this.#context = {
      ...internalContext("abatch_row", signal),
      client: deps.files.client,
      origin: { deployment, provider: batch.runner },
      provider: deps.findProvider(batch.runner)!,
      model: modelAtProvider(deployment, batch.model ?? ""),
      storage: deps.storage,
    };
    this.#format = runnableEndpoints.get(batch.endpoint) as DialectFormat;
  }

  /**
   * Sends the rows that have no result yet.
   * @returns the provider's id; `undefined` when no row was fit to be sent
   */
  async submit(): Promise<string | undefined> {
    const [first] = await this.#deps.batches.rows(this.#batch.id, ["waiting"], { limit: 1 });
    const model = first && (await this.#callerRow(first)).body.model;
    const rows = this.#rows();
    const next = await rows.next();
    if (next.done === true) return undefined;
    return this.#api.submit(this.#withModel(model), withFirst(next.value, rows), this.#batch.id);
  }

  /** The batch at the provider, sent at that time or later, whose answer was lost. */
  find(sentAt: number, others: readonly string[]): Promise<FoundBatch | undefined> {
    const { id: name, total, completed, failed } = this.#batch;
    return this.#api.find(this.#context, { name, rows: total - completed - failed, sentAt, others });
  }

  cancel(id: string): Promise<void> {
    return this.#api.cancel(this.#context, id);
  }

  /** Once the batch is over, every row is settled; nothing is where it turns out to be somebody else's. */
  async takeResults(id: string, isCertain: boolean): Promise<"running" | "over" | "foreign"> {
    const results = await this.#api.results(this.#context, id, this.#batch.id);
    if (results === undefined) return "running";
    let waiting: RowResult[] = [];
    let isOurs = isCertain;
    for await (const result of results) {
      isOurs = true;
      const row = await this.#rowAt(result.line);
      if (row === undefined) continue;
      waiting.push(await this.#settled(row, result.outcome));
      if (waiting.length < ROWS_AT_ONCE) continue;
      await this.#deps.batches.settleRows(this.#batch.id, waiting);
      waiting = [];
    }
    if (!isOurs) return "foreign";
    await this.#deps.batches.settleRows(this.#batch.id, waiting);
    await this.#settleMissing();
    await this.#account();
    this.#deps.signals.changed(this.#batch.id);
    return "over";
  }

  async *#rows(): AsyncGenerator<RemoteRow> {
    for (let from = 1; ; ) {
      const rows = await this.#deps.batches.rows(this.#batch.id, ["waiting"], { from, limit: ROWS_AT_ONCE });
      if (rows.length === 0) return;
      for (const row of rows) {
        const caller = await this.#callerRow(row);
        const context = this.#withModel(caller.body.model);
        try {
          const referring = {
            ...caller,
            body: await this.#withReferences(this.#ofDeployment(caller), context),
          };
          yield { line: row.line, request: await toRemoteRequest(this.#deps.calls, context, referring) };
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

  /** The row as it goes to the deployment that the batch's model leads to; others go out as they are. */
  #ofDeployment(caller: CallerRow): CallerRow {
    const { origin, model, provider } = this.#context;
    const { deployment } = origin;
    if (model === "" || deployment === undefined) return caller;
    const isNative = provider.native.has(this.#format);
    const target = { deployment, model };
    return { ...caller, body: rowAt(caller.body, this.#format, target, this.#deps.config.current, isNative) };
  }

  /** The row with the files that it names as the provider takes them. */
  async #withReferences(
    { body, format }: CallerRow,
    { provider, origin, model, signal, call: record }: RemoteContext,
  ): Promise<JsonObject> {
    const principal = JSON.parse(this.#batch.principal) as Principal;
    const deployment = origin.deployment ?? directDeployment(`${origin.provider}/${model}`);
    const { references } = this.#deps.calls;
    const caller = { principal, record, signal };
    const isNative = provider.native.has(format);
    const changes = await replaceReferences(references, body, caller, { deployment, model }, isNative);
    return { ...body, ...Object.fromEntries(changes) };
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
    try {
      const { body, usage } = await fromRemoteAnswer(this.#deps.calls, context, caller, outcome.answer);
      return answered(name, 200, JSON.stringify(body), usage);
    } catch (failure) {
      // The answer stays as it is however often it is read; the other rows of the batch must not wait for it.
      return refused(name, translatedError(failure, context.provider));
    }
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
    // What each row used is not kept; prices of long inputs go by the mean.
    const meanInput = Math.ceil(batch.input_tokens / Math.max(1, batch.completed));
    await insertLateSpend(this.#deps, {
      requestId: batch.id,
      callType: BATCH_COST,
      principal: JSON.parse(batch.principal) as Principal,
      origin,
      model: batch.model ?? model,
      status: "success",
      startedAt: batch.created_at,
      usage,
      cost: costOfUsage(this.#deps, origin, model, usage, meanInput),
      requests: { completed: batch.completed, failed: batch.failed },
    });
  }
}

async function* withFirst<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

const nothingUsed: Pick<RowResult, "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens"> = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};
