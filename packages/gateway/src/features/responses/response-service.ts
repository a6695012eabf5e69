import { newCallRecord, noteShownId } from "../../contract/call-record.ts";
import { checkQuery } from "../../contract/check.ts";
import { type GatewayError, invalidRequest, notFound } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { readPage } from "../../contract/paging.ts";
import { noDeployment } from "../../core/auth/deployment-permission.ts";
import { changedWay } from "../../core/call/prepare-call.ts";
import { chooseProvider, selectorOrder } from "../../core/objects/choose-provider.ts";
import { governed, governedJson } from "../../core/objects/governed-call.ts";
import { readLiteLlmId } from "../../core/objects/litellm-id.ts";
import { locateOrigin } from "../../core/objects/locate-origin.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";
import { seesEveryTenant } from "../../core/objects/tenant.ts";
import { itemPage } from "../conversations/item-page.ts";
import { itemPaging } from "../conversations/schema.ts";
import { BackgroundResponses } from "./background-responses.ts";
import { BackgroundUsage } from "./background-usage.ts";
import { findStored } from "./input/conversation-context.ts";
import { isGone, originOfResponse, type ProviderResponse, ProviderResponses } from "./provider-responses.ts";
import { settleAbandoned } from "./record/abandoned.ts";
import { replayEvents } from "./record/replay-events.ts";
import { hasEnded, responseOfRow } from "./record/stored-row.ts";
import { StreamReader } from "./record/stream-recorder.ts";
import type { ResponseRow } from "./record/table.ts";
import { ResponseCreator } from "./response-creator.ts";
import type { ResponseDeps } from "./response-deps.ts";
import { responseQuery } from "./schema.ts";

/** A response that a caller named: at its provider, or only here. */
type Located =
  | ({ readonly kind: "provider" } & ProviderResponse)
  | { readonly kind: "gateway"; readonly row: ResponseRow };

/** Responses that one round removes. */
const EXPIRED_AT_ONCE = 200;

/** The operations on responses, whoever keeps them. */
export class ResponseService {
  readonly creator: ResponseCreator;
  readonly #deps: ResponseDeps;
  readonly #resources: ResourceDeps;
  readonly #providers: ProviderResponses;
  readonly #reader: StreamReader | undefined;
  readonly #background: BackgroundResponses | undefined;
  readonly #usage: BackgroundUsage | undefined;

  constructor(deps: ResponseDeps) {
    this.#deps = deps;
    this.#resources = { ...deps.calls, ownership: deps.ownership };
    this.#providers = new ProviderResponses(deps);
    const { state } = deps;
    const refresh = (row: ResponseRow): Promise<ResponseRow> => this.#refresh(row);
    this.#reader = state && new StreamReader(state);
    this.#background = state && new BackgroundResponses(deps, state, this.#reader!, refresh);
    this.#usage = state && new BackgroundUsage(deps, state, this.#providers);
    this.creator = new ResponseCreator(deps, {
      background: this.#background,
      usage: this.#usage,
      reader: this.#reader,
      refresh,
    });
  }

  async close(patienceMs = 4000): Promise<void> {
    await Promise.all([this.#background?.stop(), this.#usage?.stop()]);
    await this.creator.close(patienceMs);
  }

  /**
   * Removes some of the responses whose time is over, with their items.
   * @returns whether there are more
   */
  async removeExpired(): Promise<boolean> {
    const removed = (await this.#deps.state?.responses.removeExpired(Date.now(), EXPIRED_AT_ONCE)) ?? 0;
    return removed === EXPIRED_AT_ONCE;
  }

  async retrieve(exchange: Exchange): Promise<Reply> {
    const { data, steer } = await this.#steering(exchange);
    if (checkQuery(responseQuery, exchange.query).stream === true) {
      let isOurs = false;
      const run = async (changed: JsonObject): Promise<Reply> => {
        const { found, steered } = await steer(changed);
        requireSameStream(exchange, steered);
        isOurs = await this.#hasJournal(found, storedId(found, steered));
        return this.#stream(found, steered, isOurs);
      };
      return governed(this.#resources, exchange, data, run, { follows: () => isOurs });
    }
    return governedJson(this.#resources, exchange, data, async (changed) => {
      const { found, steered } = await steer(changed);
      requireSameStream(exchange, steered);
      return found.kind === "provider"
        ? this.#providers.retrieve(found, steered.query, steered)
        : this.#object(found.row);
    });
  }

  async delete(exchange: Exchange): Promise<Reply> {
    const { data, steer } = await this.#steering(exchange);
    return governedJson(this.#resources, exchange, data, async (changed) => {
      const { found, steered } = await steer(changed);
      const shown = steered.params.responseId!;
      const id = storedId(found, steered);
      if (found.kind === "provider") {
        await this.#usage?.settle({ ...found, id }, steered);
        await this.#providers.delete(found, steered).catch((error: unknown) => {
          if (found.row === undefined || !isGone(error)) throw error;
        });
      } else if (!hasEnded(found.row.status)) await this.#background?.cancel(found.row);
      await this.#deps.state?.responses.delete(id);
      return { id: shown, object: "response", deleted: true };
    });
  }

  async cancel(exchange: Exchange): Promise<Reply> {
    const { data, steer } = await this.#steering(exchange);
    const run = async (changed: JsonObject): Promise<JsonObject> => {
      const { found, steered } = await steer(changed);
      if (found.kind === "provider") return this.#providers.cancel(found, steered);
      const { row } = found;
      if ((JSON.parse(row.answer) as JsonObject).background !== true)
        throw invalidRequest("Cannot cancel a synchronous response.");
      if (!hasEnded(row.status)) await this.#background!.cancel(row);
      return this.#object(row);
    };
    return governedJson(this.#resources, exchange, data, run, { isFree: true });
  }

  async inputItems(exchange: Exchange): Promise<Reply> {
    readPage(itemPaging, exchange.query);
    const { data, steer } = await this.#steering(exchange);
    return governedJson(this.#resources, exchange, data, async (changed) => {
      const { found, steered } = await steer(changed);
      const { state } = this.#deps;
      const id = storedId(found, steered);
      if (found.row !== undefined && state !== undefined)
        return itemPage(await state.responses.items(id, "input"), readPage(itemPaging, steered.query));
      return this.#providers.inputItems(found as ProviderResponse, steered.query, steered);
    });
  }

  /** The data that hooks see, and where the response is by what they leave of it. */
  async #steering(exchange: Exchange) {
    const located = await this.#locate(exchange);
    const data = this.#data(exchange, located);
    const steer = async (changed: JsonObject): Promise<{ found: Located; steered: Exchange }> => {
      const steered = steeredExchange(exchange, data, changed, { response_id: "responseId" });
      return { steered, found: steered === exchange ? located : await this.#locate(steered) };
    };
    return { data, steer };
  }

  async #object({ id }: ResponseRow): Promise<JsonObject> {
    const state = this.#deps.state!;
    const row = await settleAbandoned(state, id);
    if (row === undefined) throw unknown(id);
    return responseOfRow(row, await state.responses.items(id, "output"));
  }

  async #stream(found: Located, exchange: Exchange, isOurs: boolean): Promise<Reply> {
    const { starting_after: after = -1 } = checkQuery(responseQuery, exchange.query);
    const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
    if (isOurs) {
      const id = storedId(found, exchange);
      await this.#requireEvent(id, after);
      return { status: 200, headers, stream: this.#reader!.follow(id, after, exchange.signal) };
    }
    return {
      status: 200,
      headers,
      stream: await this.#providers.stream(found as ProviderResponse, exchange),
    };
  }

  /**
   * Nobody can have an event that is not in the journal.
   * @throws GatewayError 400
   */
  async #requireEvent(id: string, number: number): Promise<void> {
    const last = (await this.#deps.state!.journal.lastEntry(id))?.sequence ?? -1;
    if (number <= last) return;
    const text = last < 0 ? "it has none so far" : `its last one is ${last}`;
    throw invalidRequest(`starting_after: the stream has no event ${number}; ${text}`, "starting_after");
  }

  /** Whether the stream can be read here; for a response that was not streamed, its events are made first. */
  async #hasJournal(found: Located, id: string): Promise<boolean> {
    if (this.#reader === undefined) return false;
    if (await this.#reader.has(id)) return true;
    if (found.kind === "provider") return false;
    const object = await this.#object(found.row);
    if (hasEnded(object.status)) await this.#deps.state!.journal.append(id, replayEvents(object));
    return true;
  }

  /** @throws GatewayError 404 for a response that does not exist, or not for this caller */
  async #locate(exchange: Exchange): Promise<Located> {
    const id = exchange.params.responseId!;
    const { state, ownership } = this.#deps;
    const { principal } = exchange;
    const tenant = ownership.tenantOf(principal);
    const row = await findStored(this.#deps, id, tenant);
    if (row !== undefined) {
      if (row.tenant !== tenant && !seesEveryTenant(principal)) throw unknown(id);
      if (row.provider_id === null) return { kind: "gateway", row };
      const origin = this.#originOf(row);
      if (origin !== undefined) {
        if (!ownership.permits(principal, origin)) throw noDeployment();
        noteShownId(exchange.call, row.provider_id, id);
        return { kind: "provider", id, providerId: row.provider_id, origin, row };
      }
    }
    const named = chooseProvider(exchange, selectorOrder["responses/{id}"]);
    const located = await locateOrigin(this.#resources, exchange, "response", id, "responses", named);
    const ours = located.providerId !== id && readLiteLlmId(id) === undefined;
    if (row === undefined && ours && state !== undefined) throw unknown(id);
    this.#requireAddress(located.origin, id);
    return { kind: "provider", id, providerId: located.providerId, origin: located.origin, row };
  }

  /** An id that leads to a provider nobody has configured leads nowhere. */
  #requireAddress({ deployment, provider }: ProviderResponse["origin"], id: string): void {
    if (deployment !== undefined) return;
    const { environment } = this.#deps.calls.config.current;
    const key = `${provider.toUpperCase()}_API_KEY`;
    if (environment[key] === undefined && process.env[key] === undefined) throw unknown(id);
  }

  async #refresh(row: ResponseRow): Promise<ResponseRow> {
    const state = this.#deps.state!;
    if (row.provider_id === null) return (await settleAbandoned(state, row.id)) ?? row;
    const origin = this.#originOf(row);
    if (origin === undefined) return row;
    const { id, provider_id: providerId } = row;
    const context = { signal: AbortSignal.timeout(30_000), call: newCallRecord("aget_responses") };
    await this.#providers.retrieve({ id, providerId, origin, row }, new URLSearchParams(), context);
    return (await state.responses.find(id)) ?? row;
  }

  /** The deployment that made a response, as long as it is configured. */
  #originOf(row: ResponseRow): Origin | undefined {
    return originOfResponse(this.#deps.calls.config.current, row.deployment_id, row.provider);
  }

  /** The spec: the id is merged into the request data. */
  #data(exchange: Exchange, found: Located): JsonObject {
    return {
      response_id: exchange.params.responseId,
      ...(found.kind === "provider" ? { custom_llm_provider: found.origin.provider } : {}),
      ...(exchange.query.size === 0 ? {} : { query_params: Object.fromEntries(exchange.query) }),
    };
  }
}

/** @throws GatewayError 500 where a hook makes a stream of what was asked for whole, or the other way round */
function requireSameStream(given: Exchange, steered: Exchange): void {
  const isStream = ({ query }: Exchange): boolean => checkQuery(responseQuery, query).stream === true;
  if (isStream(given) !== isStream(steered)) throw changedWay("stream", "a response that is retrieved");
}

/** The id under which the store has what was found. */
function storedId({ row }: Located, exchange: Exchange): string {
  return row?.id ?? exchange.params.responseId!;
}

function unknown(id: string): GatewayError {
  return notFound(`Response with id '${id}' not found.`);
}
