import type { Logger } from "../../platform/log/logger.ts";
import { type CostOf, costOf } from "./price.ts";

/** Callers can name any model of a wildcard; what is remembered is bounded. */
const MAX_REMEMBERED = 1000;

/** `costOf` that says in the log, once for each, which model's tier has no price and is taken at the standard one. */
export function warnedCost(logger: Logger): CostOf {
  const told = new Set<string>();
  return (deployment, model, usage, options = {}) =>
    costOf(deployment, model, usage, {
      ...options,
      onUnpricedTier: (tier) => {
        const { provider, modelName } = deployment;
        const name = `${provider}/${model} ${tier}`;
        if (told.has(name) || told.size >= MAX_REMEMBERED) return;
        told.add(name);
        logger.warn(
          { provider, model, model_group: modelName, service_tier: tier },
          "no price of this service tier is known, so it is counted at the standard price",
        );
      },
    });
}
