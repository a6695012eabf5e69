import type { PriceOverride, TokenPrices } from "../../../contract/deployment.ts";
import { defined } from "../../../contract/json.ts";
import type { ProblemReport } from "../document/problem-report.ts";
import type { Section } from "../document/sections.ts";
import { camelCase, type Option } from "../options/option.ts";
import {
  isOtherPrice,
  longInputs,
  pricedTiers,
  priceKey,
  priceOptions,
  variablePrices,
  variedPriceOptions,
} from "../options/price-options.ts";
import { readOptions } from "./read-options.ts";

/** Prices by their keys. */
type Prices = ReadonlyMap<string, number>;

const allPrices: Readonly<Record<string, Option<number | undefined>>> = {
  ...priceOptions,
  ...variedPriceOptions,
};

/** Of each of them, by its key: errors come in this order. */
const pricePlaces: ReadonlyMap<string, number> = new Map(
  Object.keys(allPrices).map((key, place) => [key, place]),
);

/** An entry's prices: those of its parameters, else those of its `model_info`, where LiteLLM's files have them too. */
export function readPrices(document: ProblemReport, params: Section, info: Section): PriceOverride {
  const prices: Prices = new Map([...pricesOf(document, info), ...pricesOf(document, params)]);
  if (prices.size === 0) return {};
  const tiers = new Map<string, TokenPrices>();
  for (const { suffix, tier } of pricedTiers) {
    const ofTier = tokenPrices(prices, suffix);
    if (Object.keys(ofTier).length > 0) tiers.set(tier, ofTier);
  }
  return {
    ...tokenPrices(prices),
    ...defined({
      cacheWriteLongPerToken: prices.get("cache_creation_input_token_cost_above_1hr"),
      outputPerAudioToken: prices.get("output_cost_per_audio_token"),
      outputPerReasoningToken: prices.get("output_cost_per_reasoning_token"),
      outputPerSecond: prices.get("output_cost_per_second") ?? prices.get("output_cost_per_video_per_second"),
      tiers: tiers.size === 0 ? undefined : tiers,
    }),
  };
}

function pricesOf(document: ProblemReport, { value, path }: Section): Prices {
  for (const key of Object.keys(value).filter(isOtherPrice))
    document.warn([...path, key], "has no effect here: prices are of tokens, and of seconds of video");
  // Most entries have none of the many.
  const keys = Object.keys(value)
    .filter((key) => pricePlaces.has(key))
    .sort((one, other) => pricePlaces.get(one)! - pricePlaces.get(other)!);
  if (keys.length === 0) return new Map();
  const table = Object.fromEntries(keys.map((key) => [key, allPrices[key]!]));
  const settings: Readonly<Record<string, number | undefined>> = readOptions(
    document,
    value,
    path,
    table,
    Object.keys(value),
  );
  return new Map(
    keys.flatMap((key) => {
      const price = settings[camelCase(key)];
      return price === undefined ? [] : [[key, price]];
    }),
  );
}

/** @param suffix the tier's; that of the standard one is absent */
function tokenPrices(prices: Prices, suffix?: string): TokenPrices {
  const at = (length?: number) =>
    defined(
      Object.fromEntries(
        Object.entries(variablePrices).map(([name, key]) => [
          name,
          prices.get(priceKey(key, length, suffix)),
        ]),
      ),
    );
  const long = longInputs
    .map((length) => ({ above: length * 1000, ...at(length) }))
    .filter((one) => Object.keys(one).length > 1);
  return {
    ...at(),
    ...defined({
      inputPerAudioToken: prices.get(priceKey("input_cost_per_audio_token", undefined, suffix)),
      long: long.length === 0 ? undefined : long,
    }),
  };
}
