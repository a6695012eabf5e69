import type { Target } from "../../../contract/deployment.ts";
import { GatewayError, invalidRequest } from "../../../contract/errors.ts";
import type { Exchange } from "../../../contract/exchange.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isBoundToModels, ownAlias, type Principal, requireModel } from "../../../contract/principal.ts";
import type { Provider } from "../../../contract/provider.ts";
import { upstreamPath } from "../../../contract/upstream-path.ts";
import { requireParams } from "../../../core/auth/restrictions.ts";
import { readIdempotencyKey } from "../../../core/idempotency/read-key.ts";
import { readLiteLlmId } from "../../../core/objects/litellm-id.ts";
import type { ObjectRow } from "../../../core/objects/objects-table.ts";
import { configuredOrigin, originOfProvider } from "../../../core/objects/origin-of-provider.ts";
import type { LocatedObject, Origin } from "../../../core/objects/ownership.ts";
import { batchRows } from "../../files/batch-input.ts";
import { type StoredFile, storedFile } from "../../files/stored-file.ts";
import type { BatchRouteDeps } from "../batch-deps.ts";
import { batchObject } from "../batch-object.ts";
import { type CreateRequest, type Execution, runnableEndpoints } from "../create-request.ts";
import { lacksBatches } from "../lacks-batches.ts";
import { type Fallback, registerBatch } from "../provider-batches.ts";
import { isRoutable, requireRouter, routedTargets } from "../routed-targets.ts";
import { guardChangesRows, onlyMasked } from "./guard-foreign-rows.ts";
import { type HeldBatch, holdBatchBudget } from "./hold-batch-budget.ts";
import { onlyRowByRow, rowsNameLimited } from "./row-scopes.ts";
import { rowsAt } from "./rows-at.ts";

/** Takes a batch's share of its key's budget. */
type Hold = () => Promise<HeldBatch | undefined>;

/** Creates batches: finds out who runs them, and falls back to the gateway where a provider turns out to have no batches. */
export class BatchCreation {
  readonly #deps: BatchRouteDeps;

  constructor(deps: BatchRouteDeps) {
    this.#deps = deps;
  }

  /**
   * @param provider by the spec's order, the default included
   * @param isNamed whether the caller named it
   */
  async run(
    exchange: Exchange,
    request: CreateRequest,
    provider: string,
    isNamed: boolean,
  ): Promise<JsonObject> {
    const input = await this.#deps.files.locate(request.inputFileId, exchange.principal, exchange.call);
    requireBatchPurpose(input.row);
    const kept = storedFile(input.row);
    const model = this.#routedModel(request, input, kept);
    const candidates =
      model === undefined
        ? this.#direct(request, provider, isNamed, input, kept, exchange.principal)
        : routedTargets(this.#deps, model, exchange.principal).map(candidateOf);
    const hasContent = kept !== undefined || input.origin !== undefined;
    const storesRows = this.#deps.stored !== undefined && hasContent;
    const { findProvider } = this.#deps;
    const runner = chooseRunner(candidates, request.execution, request.endpoint, storesRows, findProvider);
    const isWrittenAnew = model !== undefined && kept !== undefined;
    if (runner.kind === "gateway") return this.#manage(exchange, request, input, model, runner, provider);
    const content = () => this.#deps.files.open(input, exchange, exchange.principal, runner.origin);
    await requireRows(exchange, content, isWrittenAnew ? "written anew" : { granted: runner.model });
    const runHere = (): Promise<JsonObject> =>
      this.#manage(exchange, request, input, model, { kind: "gateway" }, runner.origin.provider);
    const mayRunHere = storesRows && request.execution === "auto";
    if (await rowsNameLimited(this.#deps.scopes, exchange.principal, content)) {
      if (!mayRunHere) throw onlyRowByRow();
      return runHere();
    }
    if (await guardChangesRows(this.#deps.hooks, content)) {
      if (!mayRunHere) throw onlyMasked();
      return runHere();
    }
    let isOverBudget = false;
    const hold: Hold = () =>
      holdBatchBudget(this.#deps, exchange, { ...runner, content }).catch((error: unknown) => {
        isOverBudget = error instanceof GatewayError && error.status === 402;
        throw error;
      });
    try {
      return runner.kind === "provider"
        ? await this.#createNative(
            exchange,
            request,
            input,
            { ...runner, fallback: fallbackOf(request, model, mayRunHere) },
            hold,
          )
        : await this.#manage(exchange, request, input, model, runner, provider, hold);
    } catch (error) {
      const isRefused = isOverBudget || (lacksBatches(error) && runner.kind === "provider");
      // Here each row asks the budget itself.
      if (!isRefused || !mayRunHere) throw error;
      return runHere();
    }
  }

  /**
   * The model whose deployments run the batch (create rules 2 to 4); `undefined` sends it to the provider directly.
   * @throws GatewayError 400 for a unified file of other than one model, 500 without a router
   */
  #routedModel(
    { model, inputFileId }: CreateRequest,
    input: LocatedObject,
    kept: StoredFile | undefined,
  ): string | undefined {
    const { enableLoadbalancingOnBatchEndpoints } = this.#deps.config.current.gatewaySettings;
    if (enableLoadbalancingOnBatchEndpoints && model !== undefined && isRoutable(this.#deps, model))
      return model;
    const isUnified = (kept?.models.length ?? 0) > 0 || readLiteLlmId(inputFileId)?.kind === "file";
    if (!isUnified) return undefined;
    const models = kept?.models ?? input.targetModels;
    if (models.length !== 1) {
      const text = `Expected 1 model, got ${models.length}`;
      throw invalidRequest(text, "input_file_id", { error: text });
    }
    requireRouter(this.#deps);
    return models[0];
  }

  /** The provider of rule 1, with the account that has the file. */
  #direct(
    { execution }: CreateRequest,
    name: string,
    isNamed: boolean,
    input: LocatedObject,
    kept: StoredFile | undefined,
    principal: Principal,
  ): Candidate[] {
    const { origin } = input;
    if (kept === undefined && origin !== undefined && (!isNamed || origin.provider === name))
      return [{ origin, model: undefined }];
    if (execution === "gateway") return [];
    const provider = this.#deps.findProvider(name);
    if (provider === undefined) throw invalidRequest(`Unknown provider '${name}'`, "custom_llm_provider");
    const resource = ["batches", "message_batches", "batch_jobs"].find((each) =>
      provider.resources.has(each),
    );
    if (resource === undefined)
      return [{ origin: { deployment: undefined, provider: name }, model: undefined }];
    const configured = configuredOrigin(this.#deps, name, resource, principal);
    if (configured !== undefined) return [{ origin: configured, model: undefined }];
    if (!isNamed && kept !== undefined) return [];
    return [{ origin: originOfProvider(this.#deps, name, resource, principal), model: undefined }];
  }

  async #manage(
    exchange: Exchange,
    request: CreateRequest,
    input: LocatedObject,
    model: string | undefined,
    runner: Exclude<Runner, { kind: "provider" }>,
    provider: string,
    hold?: Hold,
  ): Promise<JsonObject> {
    const remote = runner.kind === "remote" ? runner.origin : undefined;
    const target = model === undefined ? undefined : routedTargets(this.#deps, model, exchange.principal)[0];
    const reservation = (await hold?.())?.reservation;
    try {
      const row = await this.#deps.stored!.batches.create({
        principal: exchange.principal,
        request,
        input,
        model,
        provider: remote?.provider ?? target?.deployment.provider ?? provider,
        remote,
        reservation,
      });
      exchange.call.model = model;
      return batchObject(row);
    } catch (error) {
      reservation?.release();
      throw error;
    }
  }

  async #createNative(
    exchange: Exchange,
    request: CreateRequest,
    input: LocatedObject,
    { origin, model, fallback }: Extract<Runner, { kind: "provider" }> & { readonly fallback: Fallback },
    hold: Hold,
  ): Promise<JsonObject> {
    const { files, ownership, stored, config } = this.#deps;
    const { principal } = exchange;
    const fileAtProvider = async (): Promise<string> =>
      storedFile(input.row) === undefined
        ? (input.providerId ?? input.id)
        : files.copyAt(input.row!, origin, rowsAt(origin, model, config.current), exchange);
    const body = request.forwarded;
    const batch = { principal, origin, inputFileId: input.id };
    if (stored !== undefined)
      return stored.providerRun.create({
        ...batch,
        tenant: ownership.tenantOf(principal),
        body,
        fileAtProvider,
        hold: async () => (await hold())?.reservation,
        webhookUrl: request.webhookUrl,
        fallback,
        key: readIdempotencyKey(exchange),
        context: exchange,
      });
    const held = await hold();
    try {
      const sent = { ...body, input_file_id: await fileAtProvider() };
      const sending = { method: "POST", path: upstreamPath`/batches`, body: sent };
      const answer = await files.client.json(origin, sending, exchange);
      // Nobody will learn what it costs, so that it counts as what it costs at most.
      held?.reservation.settle(undefined, held.cost);
      return await registerBatch(ownership, answer, batch);
    } catch (error) {
      held?.reservation.release();
      throw error;
    }
  }
}

/**
 * Looks at the models that a batch's rows name and at the fields that the key's calls must have, before a provider runs
 * them without asking the gateway again. Rows that the gateway runs need no look, nor the models of those that it writes
 * anew.
 * @param content the input file; not read for keys that may call every model with any fields
 * @param models `granted` is the provider's name of a model that the key may call under another name
 * @throws GatewayError 403 for a model that the key may not call, 400 for a line that is no request or lacks a field
 */
async function requireRows(
  { principal, headers }: Pick<Exchange, "principal" | "headers">,
  content: () => Promise<AsyncIterable<Buffer>>,
  models: "written anew" | { readonly granted: string | undefined },
): Promise<void> {
  const { restrictions } = principal;
  const hasParams = restrictions !== undefined && restrictions.params.length > 0;
  const hasModels = models !== "written anew" && isBoundToModels(principal);
  if (!hasModels && !hasParams) return;
  const seen = new Set<unknown>([models !== "written anew" && models.granted, undefined]);
  for await (const { row } of batchRows(await content())) {
    if (hasParams) requireParams(principal, { headers, body: row.body });
    const { model } = row.body;
    if (!hasModels || seen.has(model)) continue;
    requireModel(principal, ownAlias(principal, String(model)));
    seen.add(model);
  }
}

function fallbackOf(request: CreateRequest, model: string | undefined, isAllowed: boolean): Fallback {
  return {
    endpoint: request.endpoint,
    completionWindow: request.completionWindow,
    metadata: request.metadata ?? null,
    outputExpiresAfter: request.outputExpiresAfter ?? null,
    model: model ?? null,
    isAllowed: isAllowed && runnableEndpoints.has(request.endpoint),
  };
}

/** Who runs a batch: a provider with OpenAI's API, a provider with another one, or the gateway. */
type Runner =
  | { readonly kind: "provider"; readonly origin: Origin; readonly model: string | undefined }
  | { readonly kind: "remote"; readonly origin: Origin; readonly model: string | undefined }
  | { readonly kind: "gateway" };

/** A place where a batch could run, and the model's name there. */
interface Candidate {
  readonly origin: Origin;
  readonly model: string | undefined;
}

/** Resource names under which providers say that they have a batch API. */
const remoteResources = ["message_batches", "batch_jobs"];
/** Endpoints whose rows can be put into other providers' batches. */
const remoteEndpoints = new Set(["/v1/chat/completions", "/v1/messages", "/v1/responses"]);

function candidateOf({ deployment, model }: Target): Candidate {
  return { origin: { deployment, provider: deployment.provider }, model };
}

/**
 * The runner for a batch: the first candidate whose provider has a batch API, unless the caller wants the gateway.
 * @param storesRows whether the gateway has the rows, or can have them
 * @throws GatewayError 400 when the caller insists on a provider that cannot
 */
function chooseRunner(
  candidates: readonly Candidate[],
  execution: Execution,
  endpoint: string,
  storesRows: boolean,
  findProvider: (name: string) => Provider | undefined,
): Runner {
  if (execution === "gateway" && storesRows) return { kind: "gateway" };
  // OpenAI's batches run no messages: they go there only where the caller insists, or nobody else could run them.
  const takesEndpoint = endpoint !== "/v1/messages";
  for (const { origin, model } of candidates) {
    const resources = findProvider(origin.provider)?.resources;
    const mayTake = takesEndpoint || execution === "provider" || !storesRows;
    if (resources?.has("batches") === true && mayTake) return { kind: "provider", origin, model };
    const isRemote = remoteResources.some((name) => resources?.has(name) === true);
    if (isRemote && remoteEndpoints.has(endpoint) && storesRows) return { kind: "remote", origin, model };
  }
  if (execution === "provider" || !storesRows) throw noBatchApi(candidates);
  return { kind: "gateway" };
}

function noBatchApi(candidates: readonly Candidate[]): GatewayError {
  const names = [...new Set(candidates.map(({ origin }) => origin.provider))].join(", ");
  return invalidRequest(`The provider ${names} has no batch API for this endpoint`, "execution");
}

/**
 * The rows of a file are checked when it is uploaded for a batch: its models, what they refer to, the guard. A file that
 * was uploaded here for something else has not been checked, wherever it lies.
 */
function requireBatchPurpose(row: ObjectRow | undefined): void {
  if (row === undefined) return;
  const { purpose } = JSON.parse(row.data) as { purpose?: unknown };
  if (typeof purpose === "string" && purpose !== "batch")
    throw invalidRequest(`Invalid file purpose: '${purpose}'. Expected 'batch'.`, "input_file_id");
}
