import { GatewayError } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { asText, type JsonObject } from "../../contract/json.ts";
import { pathBelow, type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import { queryForProvider } from "../../core/objects/list-page.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { ResourceClient, type ResourceContext } from "../../core/objects/resource-client.ts";
import { deploymentAt } from "../../core/routing/resolve-model.ts";
import { guardNative } from "../../formats/guarded-stream.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { withShownIds } from "./record/issued-ids.ts";
import { responseEvents, responseOf, withResponse } from "./record/response-events.ts";
import { answerText, endStates, hasEnded, outputOf } from "./record/stored-row.ts";
import type { ResponseRow } from "./record/table.ts";
import type { ResponseDeps } from "./response-deps.ts";

/** A response that its provider keeps. */
export interface ProviderResponse {
  /** The id that the caller uses. */
  readonly id: string;
  readonly providerId: string;
  readonly origin: Origin;
  /** Absent for responses that this gateway did not make or does not keep. */
  readonly row: ResponseRow | undefined;
}

/** Responses at the providers that keep them, under the ids of ours. */
export class ProviderResponses {
  readonly #deps: ResponseDeps;
  readonly #client: ResourceClient;

  constructor(deps: ResponseDeps) {
    this.#deps = deps;
    this.#client = new ResourceClient(deps.calls);
  }

  /** The response as its provider has it now; what this gateway stores of it is brought up to date. */
  async retrieve(
    response: ProviderResponse,
    query: URLSearchParams,
    context: ResourceContext,
  ): Promise<JsonObject> {
    const answer = await this.#send("GET", response, upstreamPath``, context, query);
    await this.#update(response, answer);
    return shown(response, answer);
  }

  async cancel(response: ProviderResponse, context: ResourceContext): Promise<JsonObject> {
    const answer = await this.#send("POST", response, upstreamPath`/cancel`, context);
    await this.#update(response, answer);
    return shown(response, answer);
  }

  delete(response: ProviderResponse, context: ResourceContext): Promise<JsonObject> {
    return this.#send("DELETE", response, upstreamPath``, context);
  }

  inputItems(
    response: ProviderResponse,
    query: URLSearchParams,
    context: ResourceContext,
  ): Promise<JsonObject> {
    return this.#send("GET", response, upstreamPath`/input_items`, context, query);
  }

  /** The provider's stream of the response, held against the grammar, as soon as the provider has begun it. */
  async stream(response: ProviderResponse, exchange: Exchange): Promise<AsyncIterable<Uint8Array>> {
    const path = upstreamPath`/responses/${response.providerId}`;
    const request = { method: "GET", path, query: queryForProvider(exchange.query) };
    const answer = await this.#client.request(response.origin, request, exchange);
    return this.#events(response, answer.body);
  }

  async *#events(response: ProviderResponse, body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    const guarded = guardNative(body, this.#deps.calls.dialectOf("responses"), {});
    for await (const event of responseEvents(guarded)) {
      const carried = responseOf(event);
      if (carried === undefined) yield Buffer.from(event.frame);
      else {
        if (hasEnded(carried.status)) await this.#update(response, carried);
        yield Buffer.from(withResponse(event, shown(response, carried)));
      }
    }
  }

  /** Where the provider has finished a response since, so has this gateway. */
  async #update({ row, id, providerId, origin }: ProviderResponse, answer: JsonObject): Promise<void> {
    const { state } = this.#deps;
    if (state === undefined || row === undefined || hasEnded(row.status) || !hasEnded(answer.status)) return;
    const response = shown({ row, id, providerId, origin }, answer);
    const input = await state.responses.items(id, "input");
    const changed = { ...row, status: asText(answer.status), answer: answerText(response) };
    await state.responses.finish(changed, { input, output: outputOf(answer) }, endStates);
  }

  #send(
    method: string,
    { origin, providerId }: ProviderResponse,
    suffix: UpstreamPath,
    context: ResourceContext,
    query?: URLSearchParams,
  ): Promise<JsonObject> {
    const path = pathBelow(upstreamPath`/responses/${providerId}`, suffix);
    return this.#client.json(
      origin,
      { method, path, ...(query && { query: queryForProvider(query) }) },
      context,
    );
  }
}

function shown({ id, row }: ProviderResponse, answer: JsonObject): JsonObject {
  const previousId = row?.previous_id ?? undefined;
  return withShownIds(answer, { id, previousId, conversationId: row?.conversation_id ?? undefined });
}

/** Where a response was made, as long as its deployment is configured. */
export function originOfResponse(
  config: GatewayConfig,
  deploymentId: string | null,
  provider: string | null | undefined,
): Origin | undefined {
  const known = config.deployments.find(({ id }) => id === deploymentId);
  if (known === undefined) return undefined;
  const deployment = deploymentAt(known, provider ?? known.provider, config);
  return { deployment, provider: deployment.provider };
}

/** Whether the provider says that there is nothing under this id. */
export function isGone(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 404;
}
