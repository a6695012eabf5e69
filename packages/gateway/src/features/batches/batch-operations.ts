import { GatewayError, invalidRequest, notFound } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optionalJsonBody, parseJsonBody } from "../../contract/json-body.ts";
import { pathBelow, type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import { chooseProvider, selectorOrder } from "../../core/objects/choose-provider.ts";
import { governed, governedJson } from "../../core/objects/governed-call.ts";
import { readLiteLlmId } from "../../core/objects/litellm-id.ts";
import { type AddressedObject, locateOrigin } from "../../core/objects/locate-origin.ts";
import type { LocatedObject } from "../../core/objects/ownership.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import type { BatchRouteDeps } from "./batch-deps.ts";
import { batchObject } from "./batch-object.ts";
import { BatchCreation } from "./create/batch-creation.ts";
import { type CreateRequest, readBatchRequest } from "./create-request.ts";
import {
  type FollowedBatch,
  pause,
  progressEvents,
  untilOver,
  waitSeconds,
  wantsEvents,
} from "./follow-batch.ts";
import { lacksBatches } from "./lacks-batches.ts";
import { listBatches } from "./list-batches.ts";
import { providerBatch } from "./provider-batches.ts";
import { requireRouter } from "./routed-targets.ts";
import { cancelBatch } from "./schema.ts";
import type { BatchTableRow } from "./table.ts";

/** A batch that a caller named: one of the gateway's, or one at a provider. */
type FoundBatch = { readonly stored: BatchTableRow } | { readonly providerRun: AddressedObject };

/** A batch's id, with the parameter of the path that stands for it. */
const BATCH_IDS = { batch_id: "batchId" } as const;

/** Milliseconds between two questions to a provider while a caller waits. */
const ASK_EVERY = 1000;

/** The operations on batches, by the spec's rules. */
export class BatchOperations {
  readonly #deps: BatchRouteDeps;
  readonly #creation: BatchCreation;

  constructor(deps: BatchRouteDeps) {
    this.#deps = deps;
    this.#creation = new BatchCreation(deps);
  }

  /** Provider: path, then body, then the default. */
  async create(exchange: Exchange): Promise<Reply> {
    const body = await parseJsonBody(exchange);
    const named = chooseProvider(exchange, selectorOrder["POST batches"], { body });
    const data = { ...body, custom_llm_provider: named ?? DEFAULT_PROVIDER };
    let made: JsonObject | undefined;
    const run = async (changed: JsonObject): Promise<JsonObject> => {
      const request: CreateRequest = readBatchRequest(changed);
      const chosen = String(changed.custom_llm_provider ?? data.custom_llm_provider);
      const isNamed = named !== undefined || chosen !== DEFAULT_PROVIDER;
      made = await this.#creation.run(exchange, request, chosen, isNamed);
      return made;
    };
    const undo = async (): Promise<void> => {
      if (made === undefined) return;
      await this.#cancel(exchange, await this.#found(exchange, String(made.id), undefined));
    };
    return governedJson(this.#deps, exchange, data, run, { undo });
  }

  /** Provider: path, header, query, then the default; with load balancing or a unified id the router. */
  async retrieve(exchange: Exchange): Promise<Reply> {
    const id = batchIdOf(exchange, "");
    if (wantsEvents(exchange)) return this.#follow(exchange, id);
    const seconds = waitSeconds(exchange);
    const { data, steer } = await this.#steering(exchange, id);
    return governedJson(this.#deps, exchange, data, async (changed) =>
      untilOver(await steer(changed), seconds, exchange.signal),
    );
  }

  /** Progress as server-sent events. */
  events(exchange: Exchange): Promise<Reply> {
    return this.#follow(exchange, batchIdOf(exchange, "/events"));
  }

  /** Provider: path, header, query, then the default; `target_model_names` names a model of the router instead. */
  async list(exchange: Exchange): Promise<Reply> {
    requireRouter(this.#deps);
    const body = await optionalJsonBody(exchange);
    const data = { ...body, query_params: Object.fromEntries(exchange.query) };
    return governedJson(this.#deps, exchange, data, (changed) =>
      listBatches(this.#deps, steeredExchange(exchange, data, changed), changed),
    );
  }

  /** Provider: path, then body, then the default. */
  async cancel(exchange: Exchange): Promise<Reply> {
    if (!exchange.path.endsWith("/cancel")) throw notFound(`There is no endpoint POST ${exchange.path}`);
    const id = batchIdOf(exchange, "/cancel");
    const body = await optionalJsonBody(exchange, cancelBatch);
    const find = (sought: Exchange, soughtId: string, said: JsonObject): Promise<FoundBatch> =>
      this.#found(
        sought,
        soughtId,
        chooseProvider(sought, selectorOrder["POST batches/{id}/cancel"], { body: said }),
      );
    const found = await find(exchange, id, body);
    const data = { ...body, ...dataOf(id, found) };
    const run = async (changed: JsonObject): Promise<JsonObject> => {
      const steered = steeredExchange(exchange, data, changed, BATCH_IDS);
      if (steered === exchange) return this.#cancel(exchange, found);
      return this.#cancel(exchange, await find(steered, steered.params.batchId ?? id, changed));
    };
    return governedJson(this.#deps, exchange, data, run, { isFree: true });
  }

  /** The data that hooks see, and the batch by what they leave of it. */
  async #steering(exchange: Exchange, id: string) {
    const located = await this.#find(exchange, id);
    const data = dataOf(id, located);
    const steer = async (changed: JsonObject): Promise<FollowedBatch> => {
      const steered = steeredExchange(exchange, data, changed, BATCH_IDS);
      if (steered === exchange) return this.#followed(exchange, id, located);
      const other = steered.params.batchId ?? id;
      return this.#followed(exchange, other, await this.#find(steered, other));
    };
    return { data, steer };
  }

  async #cancel(exchange: Exchange, found: FoundBatch): Promise<JsonObject> {
    if ("stored" in found) return batchObject(await this.#deps.stored!.batches.cancel(found.stored));
    return this.#send(exchange, found.providerRun, "POST", upstreamPath`/cancel`);
  }

  async #follow(exchange: Exchange, id: string): Promise<Reply> {
    const { data, steer } = await this.#steering(exchange, id);
    return governed(this.#deps, exchange, data, async (changed) => {
      const followed = await steer(changed);
      const stream = progressEvents(followed, await followed.read(), exchange.signal);
      const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
      return { status: 200, headers, stream };
    });
  }

  #followed(exchange: Exchange, id: string, found: FoundBatch): FollowedBatch {
    const { signal } = exchange;
    if ("providerRun" in found)
      return {
        read: () => this.#send(exchange, found.providerRun, "GET", upstreamPath``),
        changed: (ms) => pause(Math.max(ms, Math.min(ASK_EVERY, ms * 2)), signal),
      };
    const { batches } = this.#deps.stored!;
    return {
      read: async () => batchObject((await batches.find(found.stored.id)) ?? found.stored),
      changed: (ms) => batches.changed(id, ms, signal),
    };
  }

  async #find(exchange: Exchange, id: string): Promise<FoundBatch> {
    const balanced = this.#deps.config.current.gatewaySettings.enableLoadbalancingOnBatchEndpoints;
    const isRouters = balanced || readLiteLlmId(id)?.kind === "batch";
    if (!isRouters)
      return this.#found(exchange, id, chooseProvider(exchange, selectorOrder["GET batches/{id}"]));
    // Retrieve rule 1: the router handles the call, whatever selectors say.
    requireRouter(this.#deps);
    const located = await this.#deps.ownership.locate("batch", id, exchange.principal, exchange.call);
    if (located.origin === undefined) return { providerRun: await this.#searched(exchange, located) };
    return this.#found(exchange, id, undefined);
  }

  async #found(exchange: Exchange, id: string, named: string | undefined): Promise<FoundBatch> {
    const { row, origin } = await this.#deps.ownership.locate("batch", id, exchange.principal);
    const stored = row && (await this.#deps.stored?.batches.find(row.id));
    if (stored !== undefined) return { stored };
    // A provider without batches has none under any id, as its list says too.
    const isKnown = named !== undefined && this.#deps.findProvider(named) !== undefined;
    if (
      isKnown &&
      !this.#deps.findProvider(named)!.resources.has("batches") &&
      this.#deps.stored !== undefined
    )
      throw notFound(`No batch found with id '${id}'`);
    // Our ids of what a deployment made are unified ids: no selector leads them elsewhere.
    const selector = origin?.deployment === undefined ? named : undefined;
    return { providerRun: await locateOrigin(this.#deps, exchange, "batch", id, "batches", selector) };
  }

  /**
   * The router's way with an id that says nothing: each account of its deployments is asked.
   * @throws GatewayError the failure of an account that could not say now whether it has the batch, else that of the last one
   */
  async #searched(exchange: Exchange, located: LocatedObject): Promise<AddressedObject> {
    const asked = new Set<string>();
    let failure: unknown = notFound(`No batch found with id '${located.id}'`);
    for (const deployment of this.#deps.config.current.deployments) {
      const { provider, apiBase, apiKey } = deployment;
      const account = JSON.stringify([provider, apiBase, apiKey]);
      const hasBatches = this.#deps.findProvider(provider)?.resources.has("batches") === true;
      const mayUse = this.#deps.ownership.permits(exchange.principal, { deployment, provider });
      if (!hasBatches || !mayUse || asked.has(account)) continue;
      asked.add(account);
      const origin = { deployment, provider };
      const batch = { ...located, origin, providerId: located.providerId ?? located.id };
      try {
        await this.#send(exchange, batch, "GET", upstreamPath``);
        return batch;
      } catch (error) {
        if (!isPassing(failure)) failure = error;
      }
    }
    throw failure;
  }

  async #send(
    exchange: Exchange,
    batch: AddressedObject,
    method: string,
    suffix: UpstreamPath,
  ): Promise<JsonObject> {
    const { ownership, files, stored } = this.#deps;
    const base = upstreamPath`/batches/${batch.providerId}`;
    const ask = (how: string, path: UpstreamPath): Promise<JsonObject> =>
      files.client.json(batch.origin, { method: how, path }, exchange);
    let answer: JsonObject;
    try {
      answer = await ask(method, pathBelow(base, suffix));
      await stored?.batches.requireResults(batch, answer, exchange);
    } catch (error) {
      if (!lacksBatches(error)) throw error;
      // A host may have the batch and no way to cancel it.
      const isThere = method !== "GET" && (await ask("GET", base).then(Boolean, () => false));
      const shown = isThere ? undefined : await stored?.batches.missing(batch, error, method !== "GET");
      if (shown === undefined) throw error;
      return shown;
    }
    return providerBatch(ownership, answer, batch);
  }
}

function dataOf(id: string, found: FoundBatch): JsonObject {
  const provider = "stored" in found ? found.stored.provider : found.providerRun.origin.provider;
  return { batch_id: id, custom_llm_provider: provider };
}

/** What stands behind a batch's id in a path. */
type BatchSuffix = "" | "/cancel" | "/events";

/**
 * The batch id in a path; it may contain slashes, plain or percent-encoded.
 * @throws GatewayError 400 for an id that is none
 */
function batchIdOf({ path }: Exchange, suffix: BatchSuffix): string {
  const begin = path.indexOf("/batches/") + "/batches/".length;
  const raw = path.slice(begin, path.length - suffix.length);
  let id: string;
  try {
    id = decodeURIComponent(raw);
  } catch {
    throw invalidRequest("The batch id is not validly percent-encoded", "batch_id");
  }
  if (id === "" || id.length > 4096) throw invalidRequest("The batch id is missing or too long", "batch_id");
  return id;
}

/** Whether a failure says nothing about what is there, so that the same question may have an answer later. */
function isPassing(error: unknown): boolean {
  return !(error instanceof GatewayError) || error.status >= 500 || [408, 429].includes(error.status);
}
