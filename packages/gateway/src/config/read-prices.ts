import type { PriceOverride, TokenPrices } from "../contract/deployment.ts";
import { defined } from "../util/defined.ts";
import type { ConfigDocument } from "./config-document.ts";
import { camelCase } from "./option.ts";
import { pricedTiers, priceOptions, tierPriceOptions, tierPrices } from "./options/price-options.ts";
import { readOptions } from "./read-options.ts";
import type { Section } from "./sections.ts";

/** An entry's prices: those of its parameters, else those of its `model_info`, where LiteLLM's files have them too. */
export function readPrices(document: ConfigDocument, params: Section, info: Section): PriceOverride {
  return { ...pricesOf(document, info), ...pricesOf(document, params) };
}

function pricesOf(document: ConfigDocument, { value, path }: Section): PriceOverride {
  const settings = readOptions(document, value, path, priceOptions, Object.keys(value));
  const tiers = tiersOf(readOptions(document, value, path, tierPriceOptions, Object.keys(value)));
  return defined({
    tiers: tiers.size === 0 ? undefined : tiers,
    inputPerToken: settings.inputCostPerToken,
    outputPerToken: settings.outputCostPerToken,
    cacheReadPerToken: settings.cacheReadInputTokenCost,
    cacheWritePerToken: settings.cacheCreationInputTokenCost,
    cacheWriteLongPerToken: settings.cacheCreationInputTokenCostAbove1hr,
    inputPerTokenAbove200k: settings.inputCostPerTokenAbove200kTokens,
    outputPerTokenAbove200k: settings.outputCostPerTokenAbove200kTokens,
    cacheReadPerTokenAbove200k: settings.cacheReadInputTokenCostAbove200kTokens,
    cacheWritePerTokenAbove200k: settings.cacheCreationInputTokenCostAbove200kTokens,
    inputPerAudioToken: settings.inputCostPerAudioToken,
    outputPerAudioToken: settings.outputCostPerAudioToken,
    outputPerReasoningToken: settings.outputCostPerReasoningToken,
    outputPerSecond: settings.outputCostPerSecond ?? settings.outputCostPerVideoPerSecond,
  });
}

function tiersOf(settings: Readonly<Record<string, number | undefined>>): Map<string, TokenPrices> {
  const tiers = new Map<string, TokenPrices>();
  for (const { suffix, tier } of pricedTiers) {
    const prices = defined(
      Object.fromEntries(
        Object.entries(tierPrices).map(([name, key]) => [name, settings[camelCase(`${key}_${suffix}`)]]),
      ),
    );
    if (Object.keys(prices).length > 0) tiers.set(tier, prices);
  }
  return tiers;
}
