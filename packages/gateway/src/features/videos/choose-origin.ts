import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { requireModel } from "../../contract/model-permission.ts";
import { isAbsent } from "../../core/objects/choose-provider.ts";
import { originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { routedTarget } from "../../core/objects/routed-target.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import type { VideoDeps } from "./video-deps.ts";

/** What OpenAI takes where a request names no model. */
const DEFAULT_MODEL = "sora-2";

/**
 * Who makes a new video. The handler applies no selector of its own (spec): the model's deployment where the router
 * knows it, else the provider that the body names, else the default one.
 */
export function chooseOrigin(
  deps: VideoDeps,
  exchange: Exchange,
  data: JsonObject,
): { origin: Origin; model: string | undefined } {
  const { custom_llm_provider: named } = data;
  const given = isAbsent(data.model) ? undefined : data.model;
  if (given !== undefined && typeof given !== "string")
    throw invalidRequest("model must be a string", "model");
  const { modelAliasMap } = deps.config.current().gatewaySettings;
  const model = given !== undefined && Object.hasOwn(modelAliasMap, given) ? modelAliasMap[given]! : given;
  requireModel(exchange.principal, given ?? DEFAULT_MODEL, model ?? DEFAULT_MODEL);
  const target = model === undefined ? undefined : routedTarget(deps, model, exchange.principal);
  if (target !== undefined) {
    exchange.call.model = model;
    const { deployment } = target;
    const provider = deps.findProvider(deployment.provider)?.name ?? deployment.provider;
    return {
      origin: { deployment, provider },
      model: target.model,
    };
  }
  const provider = isAbsent(named) ? DEFAULT_PROVIDER : String(named);
  return { origin: originOfProvider(deps, provider, "videos", exchange.principal), model };
}
