import { check, checkQuery } from "../../contract/check.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { chooseProvider, isAbsent, selectorOrder } from "../../core/objects/choose-provider.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { visiblePage } from "../../core/objects/list-page.ts";
import { type AddressedObject, madeAt } from "../../core/objects/locate-origin.ts";
import { originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { ResourceClient } from "../../core/objects/resource-client.ts";
import { steeredExchange } from "../../core/objects/steered-exchange.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import { addressContainer, CONTAINER_IDS } from "./address-container.ts";
import { type ContainerDeps, withProviderFiles } from "./provider-files.ts";
import { containerQuery, createContainer } from "./schema.ts";

/** The four operations on containers. Provider: header, then query, then (create only) body, then the default. */
export class ContainerOperations {
  readonly #deps: ContainerDeps;
  readonly #client: ResourceClient;

  constructor(deps: ContainerDeps) {
    this.#deps = deps;
    this.#client = new ResourceClient(deps);
  }

  async create(exchange: Exchange): Promise<Reply> {
    const body = await parseJsonBody(exchange, createContainer);
    const named = chooseProvider(exchange, selectorOrder["POST containers"], { body }) ?? DEFAULT_PROVIDER;
    const data = { ...body, custom_llm_provider: named };
    let made: AddressedObject | undefined;
    const run = async (changed: JsonObject): Promise<JsonObject> => {
      const origin = this.#originOf(changed, exchange);
      const container = withoutLitellmFields(check(createContainer, changed));
      const wanted = await withProviderFiles(this.#deps, container, origin, exchange);
      const request = { method: "POST", path: upstreamPath`/containers`, body: wanted };
      const answer = await this.#client.json(origin, request, exchange);
      const providerId = String(answer.id);
      made = madeAt(origin, providerId);
      const id = await this.#deps.ownership.register("container", exchange.principal, origin, providerId);
      made = madeAt(origin, providerId, id);
      return { ...answer, id };
    };
    const undo = async (): Promise<void> => {
      if (made !== undefined) await this.#remove(made, exchange);
    };
    return governedJson(this.#deps, exchange, data, run, { undo });
  }

  async list(exchange: Exchange): Promise<Reply> {
    checkQuery(containerQuery, exchange.query);
    const named = chooseProvider(exchange, selectorOrder["GET containers"]) ?? DEFAULT_PROVIDER;
    const data = { custom_llm_provider: named, query_params: Object.fromEntries(exchange.query) };
    return governedJson(this.#deps, exchange, data, async (changed) => {
      const origin = this.#originOf(changed, exchange);
      const steered = steeredExchange(exchange, data, changed);
      return visiblePage(this.#deps.ownership, "container", origin, steered, (query) =>
        this.#client.json(origin, { method: "GET", path: upstreamPath`/containers`, query }, exchange),
      );
    });
  }

  retrieve(exchange: Exchange): Promise<Reply> {
    return this.#withContainer(exchange, (container) => this.#send("GET", container, exchange));
  }

  delete(exchange: Exchange): Promise<Reply> {
    return this.#withContainer(exchange, (container) => this.#remove(container, exchange));
  }

  async #remove(container: AddressedObject, exchange: Exchange): Promise<JsonObject> {
    const answer = await this.#send("DELETE", container, exchange);
    await this.#deps.ownership.forget(container.id);
    return answer;
  }

  /** The provider is the one that hooks left; data without one mean the default. */
  #originOf({ custom_llm_provider: named }: JsonObject, { principal }: Exchange): Origin {
    const name = isAbsent(named) ? DEFAULT_PROVIDER : String(named);
    return originOfProvider(this.#deps, name, "containers", principal);
  }

  /** The answer carries the id that the caller sent. */
  async #send(method: string, container: AddressedObject, exchange: Exchange): Promise<JsonObject> {
    const path = upstreamPath`/containers/${container.providerId}`;
    return { ...(await this.#client.json(container.origin, { method, path }, exchange)), id: container.id };
  }

  async #withContainer(
    exchange: Exchange,
    run: (container: AddressedObject) => Promise<JsonObject>,
  ): Promise<Reply> {
    const container = await addressContainer(this.#deps, exchange);
    const data = { container_id: container.id, custom_llm_provider: container.origin.provider };
    return governedJson(this.#deps, exchange, data, async (changed) => {
      const steered = steeredExchange(exchange, data, changed, CONTAINER_IDS);
      return run(steered === exchange ? container : await addressContainer(this.#deps, steered));
    });
  }
}
