import type { Deployment } from "../../contract/deployment.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { listedRates, type Rates, withOwnPrices } from "./rates.ts";
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
  const { serviceTier: tier } = usage;
  const { rates, isTierPriced } = ratesOf(deployment, model, tier, longestInput);
  if (tier !== undefined && !isTierPriced) onUnpricedTier?.(tier);
  return rates && sum(rates, usage);
}

export type CostOf = typeof costOf;

/** What a call uses at most, whatever kinds of tokens they turn out to be. */
export interface MostTokens {
  readonly input: number;
  readonly output: number;
}

/**
 * The most that so many tokens cost in US dollars: all input may be written into a cache or be sound, all output may be
 * reasoning or sound, in the dearest of the tiers that may serve the call. `undefined` where no price is known.
 * @param tiers `undefined` is the standard one
 */
export function dearestCost(
  deployment: Deployment,
  model: string,
  { input, output }: MostTokens,
  tiers: readonly (string | undefined)[],
): number | undefined {
  let dearest: number | undefined;
  for (const tier of tiers) {
    const { rates, isTierPriced } = ratesOf(deployment, model, tier, input);
    if (rates === undefined || !isTierPriced) continue;
    const { cacheRead, cacheWrite, cacheWriteLong, inputAudio, outputAudio, reasoning } = rates;
    const inputRate = Math.max(rates.input, cacheRead, cacheWrite, cacheWriteLong, inputAudio);
    const outputRate = Math.max(rates.output, outputAudio, reasoning);
    dearest = Math.max(dearest ?? 0, input * inputRate + output * outputRate);
  }
  return dearest;
}

/** @returns the rates in force; the standard ones for a tier whose price nobody knows */
function ratesOf(
  deployment: Deployment,
  model: string,
  tier: string | undefined,
  longestInput: number,
): { readonly rates: Rates | undefined; readonly isTierPriced: boolean } {
  const { prices } = deployment;
  const { priced, table } = listedFor(deployment, model);
  const listed = table?.findLast(({ above }) => above === 0 || longestInput > above);
  const standard = withOwnPrices(listed, prices, longestInput);
  if (tier === undefined) return { rates: standard, isTierPriced: true };
  const own = prices.tiers?.get(tier);
  const factor = tierFactor(priced.provider, priced.model, tier);
  const rates = ratesOfTier(standard, factor, own ?? {}, longestInput);
  return { rates, isTierPriced: own !== undefined || factor !== undefined };
}

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
  return input + output + Math.min(usage.reasoning, plainOutput) * (rates.reasoning - rates.output);
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
