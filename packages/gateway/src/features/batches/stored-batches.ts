import { type GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Reservation } from "../../core/limits/limiter.ts";
import type { AddressedObject } from "../../core/objects/locate-origin.ts";
import type { LocatedObject, Origin } from "../../core/objects/ownership.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { BatchInputSummary } from "../files/batch-input.ts";
import { batchInputSummary, storedFile } from "../files/stored-file.ts";
import type { BatchDeps } from "./batch-deps.ts";
import { type BatchJobs, CONTROL_QUEUE } from "./batch-jobs.ts";
import { batchObject } from "./batch-object.ts";
import { batchCost } from "./batch-spend.ts";
import { type CreateRequest, runnableEndpoints, windowLength } from "./create-request.ts";
import { isOver, requireResults } from "./provider/look-at.ts";
import { isWatched, missingBatch } from "./provider/take-over.ts";
import { nativeData } from "./provider-batches.ts";
import { isRoutable } from "./routed-targets.ts";
import { finalStatuses, nothingYet } from "./store.ts";
import type { BatchTableRow } from "./table.ts";

/** A batch to run. */
export interface NewStoredBatch {
  readonly principal: Principal;
  readonly request: CreateRequest;
  /** The input file, and the id under which the caller named it. */
  readonly input: LocatedObject;
  /** The gateway's name of the one model, where there is one. */
  readonly model: string | undefined;
  readonly provider: string;
  /** Where it runs; absent runs it here. */
  readonly remote: Origin | undefined;
  /** Its share of its key's budget, which it keeps until its cost is known. */
  readonly reservation?: Reservation | undefined;
}

/** Milliseconds that calls under way have between a cancellation and its end. */
const CANCEL_GRACE = 2500;

/** The batches whose rows the gateway stores: creation, state, cancellation. */
export class StoredBatches {
  readonly #deps: BatchDeps;
  readonly #jobs: BatchJobs;

  constructor(deps: BatchDeps, jobs: BatchJobs) {
    this.#deps = deps;
    this.#jobs = jobs;
  }

  /**
   * Writes the batch down; its rows run as soon as a worker takes it.
   * @throws GatewayError 400 for an endpoint, window, or file that cannot be run; what the store throws
   */
  async create(batch: NewStoredBatch): Promise<BatchTableRow> {
    const { request, input, principal } = batch;
    const window = windowLength(request.completionWindow);
    const kept = storedFile(input.row);
    const summary = batchInputSummary(input.row);
    this.#check(batch, summary);
    const { ownership, batches } = this.#deps;
    const now = Date.now();
    const row: BatchTableRow = {
      ...nothingYet,
      id: ownership.newId("batch"),
      tenant: ownership.tenantOf(principal),
      key_hash: principal.keyHash,
      principal: JSON.stringify(principal),
      runner: batch.remote?.provider ?? "gateway",
      provider: batch.provider,
      deployment_id: batch.remote?.deployment?.id ?? null,
      model: batch.model ?? null,
      endpoint: request.endpoint,
      input_file_id: input.id,
      input_key: kept?.key ?? null,
      completion_window: request.completionWindow,
      metadata: request.metadata === undefined ? null : JSON.stringify(request.metadata),
      webhook_url: request.webhookUrl ?? null,
      output_expires_after: request.outputExpiresAfter ?? null,
      total: summary?.rows ?? 0,
      created_at: now,
      expires_at: now + window,
    };
    // Where its owner is told that there is no batch, none runs later; and none runs without its share of the budget.
    await batches.insert(row, async (db) => {
      const more = { id: row.id, data: { model: row.model }, createdAt: now };
      await ownership.create("batch", principal, batch.provider, more, db);
      await this.#addJobs(row, db);
      await batch.reservation?.keepUntilSpent(batchCost(row.id), db);
    });
    this.#jobs.wakeAt(CONTROL_QUEUE, 0);
    return row;
  }

  async find(id: string): Promise<BatchTableRow | undefined> {
    return this.#deps.batches.find(id);
  }

  /** Resolves when the batch has changed, or after so many milliseconds. */
  changed(id: string, ms: number, signal: AbortSignal): Promise<void> {
    return this.#deps.signals.wait(id, ms, signal);
  }

  /** @throws GatewayError 400 for a batch that is over */
  async cancel(batch: BatchTableRow): Promise<BatchTableRow> {
    const { batches, signals } = this.#deps;
    if (finalStatuses.includes(batch.status)) throw cannotCancel(batch);
    const change = { status: "cancelling", cancelling_at: Date.now() } as const;
    await batches.change(batch.id, ["validating", "in_progress", "finalizing"], change);
    signals.changed(batch.id);
    // A process that dies before it has added the job leaves that to `resume`.
    if (batch.runner === "gateway")
      await this.#jobs.control("finish", batch.id, { key: `cancel:${batch.id}` }, Date.now() + CANCEL_GRACE);
    else await this.#jobs.control("remote", batch.id, { key: `cancel:${batch.id}` });
    return (await batches.find(batch.id))!;
  }

  /**
   * A provider does not have a batch that it took: the gateway looks again, soon, and then runs it itself.
   * @param isCancelled whether its owner has just cancelled it
   * @returns what is shown meanwhile; `undefined` for a batch whose end was seen, and one that the gateway did not make
   */
  async missing(
    batch: AddressedObject,
    problem: GatewayError,
    isCancelled: boolean,
  ): Promise<JsonObject | undefined> {
    const { objects, queue, batches } = this.#deps;
    if (batch.row === undefined || nativeData(batch.row).fallback === undefined) return undefined;
    const watched = await isWatched(queue, batch.id);
    const taken = await batches.find(batch.id);
    if (taken !== undefined) return batchObject(isCancelled ? await this.cancel(taken) : taken);
    if (!watched) return undefined;
    if (isCancelled) await objects?.addData(batch.id, { isCancelled });
    await this.#jobs.control("confirm", batch.id);
    return missingBatch((await this.#current(batch)) ?? batch, problem);
  }

  /**
   * Looks whether a provider has the results of a batch that is over, as long as nobody has read them: whoever is told
   * that it is over asks no more.
   * @throws GatewayError as the provider answers
   */
  async requireResults(batch: AddressedObject, answer: JsonObject, context: ResourceContext): Promise<void> {
    const { queue } = this.#deps;
    if (batch.row === undefined || nativeData(batch.row).fallback === undefined || !isOver(answer)) return;
    if (await isWatched(queue, batch.id)) await requireResults(this.#deps, batch, answer, context);
  }

  async #current(batch: AddressedObject): Promise<AddressedObject | undefined> {
    const row = await this.#deps.objects?.find(batch.id);
    return row && { ...batch, row };
  }

  /** Takes up what a process that died between two steps has left. */
  async resume(): Promise<void> {
    for (const batch of await this.#deps.batches.unfinished()) {
      if (batch.status === "cancelling") await this.cancel(batch);
      else if (batch.status === "validating") await this.#addJobs(batch);
    }
  }

  async #addJobs(batch: BatchTableRow, within?: Store["db"]): Promise<void> {
    const { id, expires_at: end } = batch;
    await this.#jobs.control("prepare", id, {}, undefined, within);
    if (batch.runner === "gateway")
      await this.#jobs.control("finish", id, { key: `deadline:${id}` }, end, within);
  }

  #check({ request, model, remote }: NewStoredBatch, summary: BatchInputSummary | undefined): void {
    const { endpoint, refusesRowByRow } = request;
    if (!runnableEndpoints.has(endpoint)) {
      const known = [...runnableEndpoints.keys()].map((name) => `'${name}'`).join(", ");
      throw invalidRequest(`Invalid value: '${endpoint}'. Supported values are: ${known}.`, "endpoint");
    }
    if (summary === undefined) return;
    if (summary.url !== endpoint)
      throw invalidRequest(`The file's requests are for ${summary.url}, not for ${endpoint}`, "endpoint");
    if (model !== undefined || remote !== undefined || refusesRowByRow) return;
    const unknown = summary.models.find((named) => !isRoutable(this.#deps.calls, named.model));
    if (unknown !== undefined)
      throw invalidRequest(
        `Line ${unknown.line} names the unknown model '${unknown.model}'`,
        "input_file_id",
      );
    if (summary.models.length === 0)
      throw invalidRequest("The file's requests name no model", "input_file_id");
  }
}

function cannotCancel({ status }: BatchTableRow): Error {
  return invalidRequest(`Cannot cancel a batch with status '${status}'.`);
}
