import type { Deployment } from "../../contract/deployment.ts";
import type { Usage } from "../../contract/usage.ts";
import { withOwnPrices } from "./own-prices.ts";
import { listedRates, type Rates } from "./rates.ts";
import { ratesOfTier, tierFactor } from "./service-tiers.ts";

export { loadPrices } from "./rates.ts";

/** What the cost depends on beside the usage. */
export interface CostOptions {
  /** Input tokens of the longest call, where the usage is that of several. */
  readonly longestInput?: number;
  /** Told when the tier that served the call has no price, so that the standard one is taken. */
  readonly onUnpricedTier?: (tier: string) => void;
}

/** A model as the price list knows it. */
interface PricedModel {
  readonly provider: string;
  readonly model: string;
}

/**
 * What a call's tokens cost in US dollars, in the service tier that served it: by the deployment's own prices where it
 * has them, else by the price list. On hosts where names are free, `model_info.base_model` says which model it is.
 * `undefined` when neither knows it.
 * @param model its name at the provider, wildcards filled in
 */
export function costOf(
  deployment: Deployment,
  model: string,
  usage: Usage,
  { longestInput = usage.input, onUnpricedTier }: CostOptions = {},
): number | undefined {
  const { prices } = deployment;
  const { priced, table } = listedFor(deployment, model);
  const listed = table?.findLast(({ above }) => above === 0 || longestInput > above);
  const standard = withOwnPrices(listed, prices, longestInput);
  const { serviceTier: tier } = usage;
  if (tier === undefined) return standard && sum(standard, usage);
  const own = prices.tiers?.get(tier);
  const factor = tierFactor(priced.provider, priced.model, tier);
  if (own === undefined && factor === undefined) onUnpricedTier?.(tier);
  const rates = ratesOfTier(standard, factor, own ?? {}, longestInput);
  return rates && sum(rates, usage);
}

export type CostOf = typeof costOf;

function sum(rates: Rates, usage: Usage): number {
  const { cacheRead, cacheWrite, cacheWriteLong = 0, inputAudio = 0, outputAudio = 0 } = usage;
  const plainInput = Math.max(0, usage.input - cacheRead - cacheWrite - inputAudio);
  const plainOutput = Math.max(0, usage.output - outputAudio);
  const input =
    plainInput * rates.input +
    inputAudio * rates.inputAudio +
    cacheRead * rates.cacheRead +
    Math.max(0, cacheWrite - cacheWriteLong) * rates.cacheWrite +
    cacheWriteLong * rates.cacheWriteLong;
  const output = plainOutput * rates.output + outputAudio * rates.outputAudio;
  return input + output + usage.reasoning * (rates.reasoning - rates.output);
}

function listedFor(
  { provider, info }: Deployment,
  model: string,
): { readonly priced: PricedModel; readonly table: readonly Rates[] | undefined } {
  const candidates = pricedModels(provider, model, info.base_model);
  for (const priced of candidates) {
    const table = listedRates(priced.provider, priced.model);
    if (table !== undefined) return { priced, table };
  }
  return { priced: candidates[0], table: undefined };
}

function pricedModels(provider: string, model: string, base: unknown): [PricedModel, ...PricedModel[]] {
  if (typeof base !== "string") return [{ provider, model }];
  const slash = base.indexOf("/");
  if (slash > 0) return [{ provider: base.slice(0, slash), model: base.slice(slash + 1) }];
  return [
    { provider, model: base },
    { provider: "openai", model: base },
  ];
}
