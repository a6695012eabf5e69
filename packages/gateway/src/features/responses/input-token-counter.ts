import type { Target } from "../../contract/deployment.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { isMissingOperation } from "../../core/call/native-attempt.ts";
import { replaceReferences } from "../../core/call/request-references.ts";
import { governedJson } from "../../core/objects/governed-call.ts";
import { ResourceClient } from "../../core/objects/resource-client.ts";
import { planAttempts } from "../../core/routing/plan.ts";
import { allowedModel } from "./input/asked-model.ts";
import { readResponseRequest } from "./input/create-request.ts";
import { openAdapter, type ResponseAdapter } from "./input/response-adapter.ts";
import { storesResponses } from "./record/issued-ids.ts";
import type { ResponseDeps } from "./response-deps.ts";

/** Counts the input tokens of a response that might be created, with everything that it continues. */
export class InputTokenCounter {
  readonly #deps: ResponseDeps;
  readonly #client: ResourceClient;

  constructor(deps: ResponseDeps) {
    this.#deps = deps;
    this.#client = new ResourceClient(deps.calls);
  }

  async count(exchange: Exchange): Promise<Reply> {
    const body = await parseJsonBody(exchange);
    const { calls } = this.#deps;
    return governedJson(calls, exchange, body, (data) => this.#count(data, exchange));
  }

  async #count(data: JsonObject, exchange: Exchange): Promise<JsonObject> {
    const { calls } = this.#deps;
    const { principal } = exchange;
    const config = calls.config.current;
    const model = allowedModel(data, exchange, config);
    const request = readResponseRequest(data);
    const adapter = await openAdapter(this.#deps, request, principal, async (row) => row);
    const region = principal.allowedModelRegion;
    const plan = planAttempts({ model, region }, config, {
      health: calls.health,
      random: Math.random,
      price: () => undefined,
    });
    const { targets } = plan.resolution;
    const target = targets.find(({ deployment }) => deployment.id === adapter.prefers) ?? targets[0]!;
    const { deployment } = target;
    const local = async (): Promise<JsonObject> => {
      const changes = await this.#changes(data, adapter, target, exchange, false);
      const input_tokens = await calls.countTokens({ ...data, ...changes, model: target.model });
      return { object: "response.input_tokens", input_tokens };
    };
    if (!storesResponses(calls, deployment)) return local();
    const changes = await this.#changes(data, adapter, target, exchange, true);
    const body: JsonObject = { ...data, ...changes, model: target.model };
    const origin = { deployment, provider: deployment.provider };
    return this.#client
      .json(origin, { method: "POST", path: upstreamPath`/responses/input_tokens`, body }, exchange)
      .catch((error: unknown) => {
        if (isMissingOperation(error)) return local();
        throw error;
      });
  }

  async #changes(
    data: JsonObject,
    adapter: ResponseAdapter,
    target: Target,
    { principal, call: record, signal }: Exchange,
    isNative: boolean,
  ): Promise<JsonObject> {
    const adapted = Object.fromEntries(await adapter.changes(data, target, isNative));
    const caller = { principal, record, signal };
    const now = { ...data, ...adapted };
    const { references } = this.#deps.calls;
    const referred = await replaceReferences(references, now, caller, target, isNative);
    return { ...adapted, ...Object.fromEntries(referred) };
  }
}
