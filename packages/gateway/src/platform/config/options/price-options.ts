import { amount, type Option, optional } from "./option.ts";

/** US dollars, in `litellm_params` or in `model_info`, where the price list is wrong or silent. */
export const priceOptions = {
  input_cost_per_token: optional(amount(0, "US dollars.")),
  output_cost_per_token: optional(amount(0, "US dollars.")),
  cache_read_input_token_cost: optional(amount(0, "US dollars.")),
  cache_creation_input_token_cost: optional(amount(0, "US dollars.")),
  cache_creation_input_token_cost_above_1hr: optional(amount(0, "For what is cached for an hour.")),
  input_cost_per_audio_token: optional(amount(0, "US dollars.")),
  output_cost_per_audio_token: optional(amount(0, "US dollars.")),
  output_cost_per_reasoning_token: optional(amount(0, "Where reasoning costs other than the answer.")),
  output_cost_per_second: optional(amount(0, "US dollars for a second of video.")),
  output_cost_per_video_per_second: optional(amount(0, "As `output_cost_per_second`.")),
} as const;

/** Service tiers with prices of their own, as LiteLLM's keys end and as answers name them. */
export const pricedTiers = [
  { suffix: "flex", tier: "flex" },
  { suffix: "priority", tier: "priority" },
  { suffix: "ultrafast", tier: "ultrafast" },
  { suffix: "batches", tier: "batch" },
] as const;

/** Thousands of input tokens beyond which a call may have prices of its own. */
export const longInputs = [100, 128, 200, 272, 512] as const;

/** Prices that may differ by the input's length and by tier, by what they are in a deployment's prices. */
export const variablePrices = {
  inputPerToken: "input_cost_per_token",
  outputPerToken: "output_cost_per_token",
  cacheReadPerToken: "cache_read_input_token_cost",
  cacheWritePerToken: "cache_creation_input_token_cost",
} as const satisfies Record<string, keyof typeof priceOptions>;

/** LiteLLM's key of a price: `input_cost_per_token`, `..._above_200k_tokens`, `..._flex`, `..._above_200k_tokens_flex`. */
export function priceKey(base: string, longInput?: number, suffix?: string): string {
  const length = longInput === undefined ? "" : `_above_${longInput}k_tokens`;
  return `${base}${length}${suffix === undefined ? "" : `_${suffix}`}`;
}

const suffixes = [undefined, ...pricedTiers.map(({ suffix }) => suffix)];

/** The keys of `variablePrices` in all their forms but the plain one, and sound by tier. */
export const variedPriceOptions: Readonly<Record<string, Option<number | undefined>>> = Object.fromEntries(
  suffixes
    .flatMap((suffix) => [
      priceKey("input_cost_per_audio_token", undefined, suffix),
      ...Object.values(variablePrices).flatMap((base) =>
        [undefined, ...longInputs].map((length) => priceKey(base, length, suffix)),
      ),
    ])
    .filter((key) => !Object.hasOwn(priceOptions, key))
    .map((key) => [key, optional(amount(0, "US dollars."))]),
);

/** LiteLLM's prices of what is not counted here: pictures, characters, queries, pages. */
export function isOtherPrice(key: string): boolean {
  const looksSo =
    /^(?:cost_per|(?:in|out)put_cost_per|search_context_cost|citation_cost|ocr_cost|annotation_cost)_|_token_cost(?:_|$)|_uplift_multiplier/;
  return looksSo.test(key) && !Object.hasOwn(priceOptions, key) && !Object.hasOwn(variedPriceOptions, key);
}
