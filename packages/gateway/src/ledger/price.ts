import type { calcPrice as CalcPrice, ModelPrice } from "@pydantic/genai-prices";
import type { Deployment, PriceOverride } from "../contract/deployment.ts";
import type { Usage } from "../contract/usage.ts";

/** US dollars per token while the input is longer than `above` tokens. */
interface Rates {
  readonly above: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Prices depend on the date and, at some providers, on the time of day: what is remembered is at most this old. */
const rememberFor = 60_000;

/** Callers can name any model of a wildcard; what is remembered is bounded. */
const mostRemembered = 5000;

const remembered = new Map<string, { readonly at: number; readonly rates: readonly Rates[] | undefined }>();
let calcPrice: typeof CalcPrice | undefined;

/** Loads the price list; until then only prices set in the configuration are known. */
export async function loadPrices(): Promise<void> {
  ({ calcPrice } = await import("@pydantic/genai-prices"));
}

/**
 * What a call's tokens cost in US dollars: by the deployment's own prices where it has them, else by the price list.
 * `undefined` when neither knows the model.
 * @param model its name at the provider, wildcards filled in
 */
export function costOf(deployment: Deployment, model: string, usage: Usage): number | undefined {
  const listed = ratesOf(deployment.provider, model)?.findLast(
    ({ above }) => above === 0 || usage.input > above,
  );
  const rates = override(listed, deployment.prices);
  if (rates === undefined) return undefined;
  const plainInput = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  return (
    plainInput * rates.input +
    usage.cacheRead * rates.cacheRead +
    usage.cacheWrite * rates.cacheWrite +
    usage.output * rates.output
  );
}

function override(listed: Rates | undefined, prices: PriceOverride): Rates | undefined {
  const { inputPerToken, outputPerToken, cacheReadPerToken, cacheWritePerToken } = prices;
  if (inputPerToken === undefined && outputPerToken === undefined && listed === undefined) return undefined;
  // Listed cache prices belong to the listed input price; an own input price replaces them too.
  const cache = inputPerToken === undefined ? listed : undefined;
  const input = inputPerToken ?? listed?.input ?? 0;
  return {
    above: 0,
    input,
    output: outputPerToken ?? listed?.output ?? 0,
    cacheRead: cacheReadPerToken ?? cache?.cacheRead ?? input,
    cacheWrite: cacheWritePerToken ?? cache?.cacheWrite ?? input,
  };
}

function ratesOf(provider: string, model: string): readonly Rates[] | undefined {
  const key = `${provider}/${model}`;
  const now = Date.now();
  const known = remembered.get(key);
  if (known !== undefined && now - known.at < rememberFor) return known.rates;
  const price = calcPrice?.({ input_tokens: 1, output_tokens: 1 }, model, { providerId: provider });
  const rates = price ? toRates(price.model_price) : undefined;
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, { at: now, rates });
  return rates;
}

/** The price list's entry, which is in dollars per million tokens with tiers by input length, as rates by length. */
function toRates(price: ModelPrice): Rates[] {
  const names = ["input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok"] as const;
  const starts = new Set([0]);
  for (const name of names) {
    const value = price[name];
    if (typeof value === "object") for (const tier of value.tiers) starts.add(tier.start);
  }
  return [...starts]
    .sort((left, right) => left - right)
    .map((above) => {
      const [input, output, cacheRead, cacheWrite] = names.map((name) => perToken(price[name], above));
      return {
        above,
        input: input ?? 0,
        output: output ?? 0,
        cacheRead: cacheRead ?? input ?? 0,
        cacheWrite: cacheWrite ?? input ?? 0,
      };
    });
}

function perToken(value: ModelPrice[string], above: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number") return value / 1e6;
  const tier = value.tiers.findLast(({ start }) => start <= above);
  return (tier?.price ?? value.base) / 1e6;
}
