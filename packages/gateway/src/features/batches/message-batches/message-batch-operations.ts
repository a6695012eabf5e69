import { check, checkQuery } from "../../../contract/check.ts";
import { GatewayError, invalidRequest, noStore, notFound } from "../../../contract/errors.ts";
import type { Exchange, Reply } from "../../../contract/exchange.ts";
import { type JsonObject, objectOf } from "../../../contract/json.ts";
import { parseJsonBody } from "../../../contract/json-body.ts";
import type { Principal } from "../../../contract/principal.ts";
import { publicAddress } from "../../../core/http/public-address.ts";
import { governed, governedJson } from "../../../core/objects/governed-call.ts";
import { seesEveryTenant } from "../../../core/objects/tenant.ts";
import { storedFile } from "../../files/stored-file.ts";
import type { BatchRouteDeps } from "../batch-deps.ts";
import { BatchCreation } from "../create/batch-creation.ts";
import { readBatchRequest } from "../create-request.ts";
import { routedTargets } from "../routed-targets.ts";
import type { BatchTableRow } from "../table.ts";
import {
  batchIdOf,
  hasEnded,
  messageBatch,
  RESULTS_LIVE,
  shownId,
  type UnansweredCounts,
} from "./message-batch-object.ts";
import { keepRequests, MESSAGES, type MessageRequests, REQUESTS_FILE } from "./message-batch-requests.ts";
import { countUnanswered, failedLines, resultLines } from "./message-batch-results.ts";
import { createMessageBatch, messageBatchPage } from "./schema.ts";

/** The provider whose API this is. */
const PROVIDER = "anthropic";
const DEFAULT_LIMIT = 20;

type Stored = NonNullable<BatchRouteDeps["stored"]>;

/**
 * The operations on message batches: the gateway's batches whose requests are for `/v1/messages`, as Anthropic's clients
 * know them. What was made here is a batch of `/v1/batches`, too.
 */
export class MessageBatchOperations {
  readonly #deps: BatchRouteDeps;
  readonly #creation: BatchCreation;

  constructor(deps: BatchRouteDeps) {
    this.#deps = deps;
    this.#creation = new BatchCreation(deps);
  }

  async create(exchange: Exchange): Promise<Reply> {
    const body = await parseJsonBody(exchange);
    let made: BatchTableRow | undefined;
    const run = async (data: JsonObject): Promise<JsonObject> => {
      made = await this.#make(exchange, check(createMessageBatch, data).requests);
      return this.#object(exchange, made);
    };
    const undo = async (): Promise<void> => {
      if (made !== undefined) await this.#stored().batches.cancel(made);
    };
    return governedJson(this.#deps, exchange, body, run, { undo });
  }

  async retrieve(exchange: Exchange): Promise<Reply> {
    return this.#withBatch(exchange, (batch) => this.#object(exchange, batch));
  }

  /** One that has ended stays as it is. */
  async cancel(exchange: Exchange): Promise<Reply> {
    return this.#withBatch(exchange, async (batch) => {
      const canceled = hasEnded(batch) ? batch : await this.#stored().batches.cancel(batch);
      return this.#object(exchange, canceled);
    });
  }

  /** Its requests and results are deleted with it. */
  async delete(exchange: Exchange): Promise<Reply> {
    return this.#withBatch(exchange, async (batch) => {
      const id = shownId(batch.id);
      if (!hasEnded(batch))
        throw invalidRequest(`Cannot delete '${id}' before it has ended: cancel it first`);
      await this.#deleteFiles(exchange, batch);
      await this.#stored().store.delete(batch.id);
      await this.#deps.ownership.forget(batch.id);
      return { id, type: "message_batch_deleted" };
    });
  }

  async list(exchange: Exchange): Promise<Reply> {
    const data = { query_params: Object.fromEntries(exchange.query) };
    const { after_id, before_id, limit = DEFAULT_LIMIT } = checkQuery(messageBatchPage, exchange.query);
    if (after_id !== undefined && before_id !== undefined)
      throw invalidRequest("after_id and before_id exclude each other", "before_id");
    return governedJson(this.#deps, exchange, data, async () => {
      const { principal } = exchange;
      const edge = after_id ?? before_id;
      const at = edge === undefined ? undefined : await this.#find(principal, edge);
      const rows = await this.#stored().store.list({
        tenant: seesEveryTenant(principal) ? undefined : this.#deps.ownership.tenantOf(principal),
        endpoint: MESSAGES,
        limit: limit + 1,
        ...(before_id === undefined ? { after: at } : { before: at }),
      });
      // The one too many is at the far end of the page.
      const page = before_id === undefined ? rows.slice(0, limit) : rows.slice(-limit);
      const shown = await Promise.all(page.map((batch) => this.#object(exchange, batch)));
      return {
        data: shown,
        first_id: shown[0]?.id ?? null,
        last_id: shown.at(-1)?.id ?? null,
        has_more: rows.length > limit,
      };
    });
  }

  async results(exchange: Exchange): Promise<Reply> {
    const found = await this.#find(exchange.principal, exchange.params.batchId!);
    return governed(this.#deps, exchange, dataOf(found), async (data) => {
      const batch = await this.#changed(exchange, data, found);
      const isThere = hasEnded(batch) && batch.created_at + RESULTS_LIVE > Date.now();
      if (!isThere) throw notFound(`There are no results of '${shownId(batch.id)}'`);
      const headers = { "content-type": "application/x-jsonl" };
      return { status: 200, headers, stream: this.#lines(exchange, batch) };
    });
  }

  /** A batch of one model may go to that model's provider; the gateway runs what names several, or none that it knows. */
  async #make(exchange: Exchange, requests: MessageRequests): Promise<BatchTableRow> {
    const { files, storage, hooks } = this.#deps;
    const stored = this.#stored();
    const { principal } = exchange;
    const model = this.#oneModel(principal, requests);
    const guard = hooks.has("guardData") ? (body: JsonObject) => hooks.guardData(body) : undefined;
    const input = await keepRequests({ files, storage, guard }, principal, requests, model);
    const request = readBatchRequest({
      input_file_id: input.id,
      endpoint: MESSAGES,
      completion_window: "24h",
      execution: model === undefined ? "gateway" : "auto",
      output_expires_after: { anchor: "created_at", seconds: RESULTS_LIVE / 1000 },
    });
    try {
      const { id } = await this.#creation.run(
        exchange,
        { ...request, refusesRowByRow: true },
        PROVIDER,
        false,
      );
      return (await stored.store.find(String(id)))!;
    } catch (error) {
      await files.delete(input, exchange).catch(() => undefined);
      throw error;
    }
  }

  /** The one model that all requests name, where the key may use it. */
  #oneModel(principal: Principal, requests: MessageRequests): string | undefined {
    const { model } = requests[0]!.params;
    if (!model || requests.some(({ params }) => params.model !== model)) return undefined;
    try {
      routedTargets(this.#deps, model, principal);
      return model;
    } catch (error) {
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  async #withBatch(exchange: Exchange, run: (batch: BatchTableRow) => Promise<JsonObject>): Promise<Reply> {
    const found = await this.#find(exchange.principal, exchange.params.batchId!);
    const changed = async (data: JsonObject): Promise<JsonObject> =>
      run(await this.#changed(exchange, data, found));
    return governedJson(this.#deps, exchange, dataOf(found), changed, { isFree: true });
  }

  /** The batch that hooks left. */
  async #changed({ principal }: Exchange, data: JsonObject, found: BatchTableRow): Promise<BatchTableRow> {
    const id = String(data.message_batch_id);
    return batchIdOf(id) === found.id ? found : this.#find(principal, id);
  }

  /** @throws GatewayError 404 unless it is a batch of messages of this tenant */
  async #find(principal: Principal, shown: string): Promise<BatchTableRow> {
    const stored = this.#stored();
    const row = await this.#deps.objects?.find(batchIdOf(shown));
    const isVisible = row?.kind === "batch" && this.#deps.ownership.isVisible(row, principal);
    const batch = isVisible ? await stored.store.find(row.id) : undefined;
    if (batch?.endpoint !== MESSAGES) throw notFound(`No batch found with id '${shown}'`);
    return batch;
  }

  async #object({ path, headers }: Exchange, batch: BatchTableRow): Promise<JsonObject> {
    const base = publicAddress(headers, this.#deps.config.current);
    const prefix = path.slice(0, path.indexOf(MESSAGES));
    const url = `${base}${prefix}${MESSAGES}/batches/${shownId(batch.id)}/results`;
    return messageBatch(batch, await this.#unanswered(batch), url);
  }

  /** Canceled and expired requests, which the store counts as failed. */
  async #unanswered(batch: BatchTableRow): Promise<UnansweredCounts> {
    const none = { canceled: 0, expired: 0 };
    if (batch.status !== "cancelled" && batch.status !== "expired") return none;
    const file = await this.#kept(batch, batch.error_file_id);
    return file === undefined ? none : countUnanswered(this.#deps.storage.read(file));
  }

  async *#lines(exchange: Exchange, batch: BatchTableRow): AsyncGenerator<Uint8Array> {
    const { storage } = this.#deps;
    if (batch.status === "failed") {
      const [error] = JSON.parse(batch.errors ?? "[]") as JsonObject[];
      if (batch.input_key !== null) yield* failedLines(storage.read(batch.input_key), objectOf(error));
      return;
    }
    for (const id of [batch.output_file_id, batch.error_file_id]) {
      exchange.signal.throwIfAborted();
      const key = await this.#kept(batch, id);
      if (key !== undefined) yield* resultLines(storage.read(key));
    }
  }

  /** Where a file of a batch is in the storage; `undefined` where its owner has deleted it. */
  async #kept(batch: BatchTableRow, id: string | null): Promise<string | undefined> {
    const row = id === null ? undefined : await this.#deps.objects?.find(id);
    return row?.tenant === batch.tenant ? storedFile(row)?.key : undefined;
  }

  async #deleteFiles(exchange: Exchange, batch: BatchTableRow): Promise<void> {
    const { objects, files } = this.#deps;
    for (const id of [batch.input_file_id, batch.output_file_id, batch.error_file_id]) {
      const row = id === null ? undefined : await objects?.find(id);
      if (row === undefined || row.tenant !== batch.tenant) continue;
      // A file that the caller uploaded is the caller's to delete.
      const isOurs = id !== batch.input_file_id || storedFile(row)?.filename === REQUESTS_FILE;
      if (isOurs) await files.delete(row, exchange).catch(unlessInUse);
    }
  }

  /** @throws GatewayError 500 without a store */
  #stored(): Stored {
    if (this.#deps.stored === undefined) throw noStore();
    return this.#deps.stored;
  }
}

/** Another batch of its owner reads it; it expires. */
function unlessInUse(error: unknown): void {
  if (!(error instanceof GatewayError) || error.status !== 409) throw error;
}

function dataOf({ id, provider }: BatchTableRow): JsonObject {
  return { message_batch_id: shownId(id), custom_llm_provider: provider };
}
