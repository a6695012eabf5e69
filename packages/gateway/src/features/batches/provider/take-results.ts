import { isJsonObject } from "../../../contract/json.ts";
import { noUsage, type Usage } from "../../../contract/usage.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { forgetHold, internalContext } from "../batch-spend.ts";
import { lacksBatches } from "../lacks-batches.ts";
import { nativeData } from "../provider-batches.ts";
import type { RowResult } from "../store.ts";
import type { BatchTableRow } from "../table.ts";
import { accountResults } from "./account-results.ts";
import { seenBatch } from "./look-at.ts";

const ROWS_AT_ONCE = 200;

/**
 * Takes over what the provider of a batch has answered after all: these rows keep their results, and the spend log says
 * what they cost. The others ask the budget themselves from now on. Does nothing for a batch that began here.
 */
export async function takeProviderResults(
  deps: BatchDeps,
  batch: BatchTableRow,
  signal: AbortSignal,
): Promise<void> {
  const object = await deps.objects?.find(batch.id);
  if (object?.provider_id == null || nativeData(object).fallback === undefined) return;
  const principal = nativeData(object).fallback!.principal;
  const { origin, providerId } = await deps.ownership.locate("batch", batch.id, principal);
  if (origin !== undefined && providerId !== undefined) {
    const taken = { id: batch.id, row: object, origin, providerId, targetModels: [] };
    const seen = await seenBatch(deps, taken, internalContext("abatch_results", signal)).catch((error) => {
      if (lacksBatches(error)) return undefined;
      throw error;
    });
    if (seen?.isOver === true) {
      const rows = new ResultRows(deps, batch);
      await accountResults(deps, taken, seen.answer, signal, (line, usage) => rows.take(line, usage));
      await rows.settle();
    }
  }
  await forgetHold(deps, batch.id);
}

/** Results of rows on their way into the store. */
class ResultRows {
  readonly #deps: BatchDeps;
  readonly #batch: BatchTableRow;
  #lines: ReadonlyMap<string, number> | undefined;
  #waiting: RowResult[] = [];

  constructor(deps: BatchDeps, batch: BatchTableRow) {
    this.#deps = deps;
    this.#batch = batch;
  }

  /** @param bytes a line of a result file */
  async take(bytes: Buffer, usage: Usage = noUsage): Promise<void> {
    this.#lines ??= await this.#deps.batches.linesByName(this.#batch.id);
    const text = bytes.toString("utf8");
    const { custom_id: name, response } = JSON.parse(text) as { custom_id?: unknown; response?: unknown };
    const line = this.#lines.get(String(name));
    // A row without an answer is run here.
    if (line === undefined || !isJsonObject(response)) return;
    const status = Number(response.status_code);
    this.#waiting.push({
      line,
      state: status >= 200 && status < 300 ? "completed" : "failed",
      result: text.trim(),
      inputTokens: usage.input,
      cachedTokens: usage.cacheRead,
      outputTokens: usage.output,
      reasoningTokens: usage.reasoning,
    });
    if (this.#waiting.length >= ROWS_AT_ONCE) await this.settle();
  }

  async settle(): Promise<void> {
    if (this.#waiting.length === 0) return;
    await this.#deps.batches.settleRows(this.#batch.id, this.#waiting);
    this.#waiting = [];
  }
}
