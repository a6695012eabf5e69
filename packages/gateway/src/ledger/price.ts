import type { Deployment, PriceOverride } from "../contract/deployment.ts";
import type { Usage } from "../contract/usage.ts";
import { listedRates, type Rates } from "./rates.ts";

export { loadPrices } from "./rates.ts";

/** Input tokens beyond which the higher of a deployment's own prices are in force. */
const longInput = 200_000;

/**
 * What a call's tokens cost in US dollars: by the deployment's own prices where it has them, else by the price list.
 * On hosts where names are free, `model_info.base_model` says which model it is. `undefined` when neither knows it.
 * @param model its name at the provider, wildcards filled in
 */
export function costOf(deployment: Deployment, model: string, usage: Usage): number | undefined {
  const listed = listedFor(deployment, model)?.findLast(({ above }) => above === 0 || usage.input > above);
  const rates = override(listed, deployment.prices, usage.input > longInput);
  if (rates === undefined) return undefined;
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
  const { outputPerReasoningToken: reasoning } = deployment.prices;
  return input + output + (reasoning === undefined ? 0 : usage.reasoning * (reasoning - rates.output));
}

function listedFor({ provider, info }: Deployment, model: string): readonly Rates[] | undefined {
  const { base_model: base } = info;
  if (typeof base !== "string") return listedRates(provider, model);
  const slash = base.indexOf("/");
  return slash > 0
    ? listedRates(base.slice(0, slash), base.slice(slash + 1))
    : (listedRates(provider, base) ?? listedRates("openai", base));
}

function override(listed: Rates | undefined, prices: PriceOverride, isLong: boolean): Rates | undefined {
  const inputPrice = (isLong ? prices.inputPerTokenAbove200k : undefined) ?? prices.inputPerToken;
  const outputPrice = (isLong ? prices.outputPerTokenAbove200k : undefined) ?? prices.outputPerToken;
  if (inputPrice === undefined && outputPrice === undefined && listed === undefined) return undefined;
  const readPrice = (isLong ? prices.cacheReadPerTokenAbove200k : undefined) ?? prices.cacheReadPerToken;
  const writePrice = (isLong ? prices.cacheWritePerTokenAbove200k : undefined) ?? prices.cacheWritePerToken;
  // Listed prices of a cache and of sound belong to the listed price of text; an own one replaces them too.
  const ofInput = inputPrice === undefined ? listed : undefined;
  const ofOutput = outputPrice === undefined ? listed : undefined;
  const input = inputPrice ?? listed?.input ?? 0;
  const output = outputPrice ?? listed?.output ?? 0;
  const cacheWrite = writePrice ?? ofInput?.cacheWrite ?? input;
  return {
    above: 0,
    input,
    output,
    cacheRead: readPrice ?? ofInput?.cacheRead ?? input,
    cacheWrite,
    cacheWriteLong: prices.cacheWriteLongPerToken ?? ofInput?.cacheWriteLong ?? cacheWrite,
    inputAudio: prices.inputPerAudioToken ?? ofInput?.inputAudio ?? input,
    outputAudio: prices.outputPerAudioToken ?? ofOutput?.outputAudio ?? output,
  };
}
