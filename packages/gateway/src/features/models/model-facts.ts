import type { Deployment, Target } from "../../contract/deployment.ts";
import { defined, type JsonObject, ownMember } from "../../contract/json.ts";
import { abilitiesOf, knownOutput, knownWindow } from "../../core/ledger/model-facts.ts";
import { listedRates } from "../../core/ledger/rates.ts";
import { resolveModel } from "../../core/routing/resolve-model.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

/** What answers first under a name of the model list, an alias or a name that a pattern takes; `undefined` without one. */
export function targetFor(id: string, config: GatewayConfig): Target | undefined {
  try {
    const name = ownMember(config.gatewaySettings.modelAliasMap, id) ?? id;
    return resolveModel(name, config).targets[0];
  } catch {
    return undefined;
  }
}

/** A deployment by itself; nothing is known of a wildcard's model. */
export function targetOf(deployment: Deployment): Target {
  return { deployment, model: deployment.model };
}

/**
 * Limits, prices and abilities of a model under the names of LiteLLM's `model_info`; what nobody knows is left out.
 * What the entry's own `model_info` says wins.
 */
export function modelFacts(target: Target): JsonObject {
  const { deployment, model } = target;
  const { prices, info, provider } = deployment;
  const listed = listedRates(provider, model)?.[0];
  const isEmbedding = (info.mode ?? (/embed/i.test(model) ? "embedding" : "chat")) === "embedding";
  const output = knownOutput(target);
  const facts = {
    mode: isEmbedding ? "embedding" : "chat",
    litellm_provider: provider,
    max_tokens: output,
    max_input_tokens: knownWindow(target),
    max_output_tokens: output,
    input_cost_per_token: prices.inputPerToken ?? listed?.input,
    output_cost_per_token: prices.outputPerToken ?? listed?.output,
    cache_read_input_token_cost: prices.cacheReadPerToken ?? listed?.cacheRead,
    cache_creation_input_token_cost: prices.cacheWritePerToken ?? listed?.cacheWrite,
    ...(isEmbedding ? {} : abilityFlags(target)),
  };
  return { ...defined(facts), ...info };
}

/** Every model gets tools, forced answers and the like from the gateway's formats; the rest depends on the model. */
function abilityFlags(target: Target): JsonObject {
  const known = Object.entries(abilitiesOf(target)).map(([name, can]) => [`supports_${name}`, can]);
  return {
    supports_system_messages: true,
    supports_native_streaming: true,
    supports_function_calling: true,
    supports_parallel_function_calling: true,
    supports_tool_choice: true,
    supports_response_schema: true,
    ...Object.fromEntries(known),
  };
}
