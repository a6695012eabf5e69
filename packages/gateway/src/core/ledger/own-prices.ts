import type { PriceOverride, TokenPrices } from "../../contract/deployment.ts";
import type { Rates } from "./rates.ts";

/** Those of the configuration's prices that depend on the input's length, as they hold for one length. */
export interface PricesInForce {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
}

/** @param inputTokens length of the call's input */
export function pricesInForce(prices: TokenPrices, inputTokens: number): PricesInForce {
  const long = prices.long?.findLast(({ above }) => inputTokens > above);
  return {
    input: long?.inputPerToken ?? prices.inputPerToken,
    output: long?.outputPerToken ?? prices.outputPerToken,
    cacheRead: long?.cacheReadPerToken ?? prices.cacheReadPerToken,
    cacheWrite: long?.cacheWritePerToken ?? prices.cacheWritePerToken,
  };
}

/** The price list's rates with the deployment's own in their place; `undefined` where neither has any. */
export function withOwnPrices(
  listed: Rates | undefined,
  prices: PriceOverride,
  inputTokens: number,
): Rates | undefined {
  const own = pricesInForce(prices, inputTokens);
  if (own.input === undefined && own.output === undefined && listed === undefined) return undefined;
  // Listed prices of a cache and of sound belong to the listed price of text; an own one replaces them too.
  const ofInput = own.input === undefined ? listed : undefined;
  const ofOutput = own.output === undefined ? listed : undefined;
  const input = own.input ?? listed?.input ?? 0;
  const output = own.output ?? listed?.output ?? 0;
  const cacheWrite = own.cacheWrite ?? ofInput?.cacheWrite ?? input;
  return {
    above: 0,
    input,
    output,
    cacheRead: own.cacheRead ?? ofInput?.cacheRead ?? input,
    cacheWrite,
    cacheWriteLong: prices.cacheWriteLongPerToken ?? ofInput?.cacheWriteLong ?? cacheWrite,
    inputAudio: prices.inputPerAudioToken ?? ofInput?.inputAudio ?? input,
    outputAudio: prices.outputPerAudioToken ?? ofOutput?.outputAudio ?? output,
    reasoning: prices.outputPerReasoningToken ?? output,
  };
}
