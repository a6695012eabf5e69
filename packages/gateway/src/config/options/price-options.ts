import { amount, type Option, optional } from "../option.ts";

/**
 * US dollars for tokens, in `litellm_params` or in `model_info`, where the price list is wrong or silent. Each names
 * what it becomes in a deployment's prices.
 */
export const priceOptions = {
  input_cost_per_token: optional(amount(0, "US dollars.")),
  output_cost_per_token: optional(amount(0, "US dollars.")),
  cache_read_input_token_cost: optional(amount(0, "US dollars.")),
  cache_creation_input_token_cost: optional(amount(0, "US dollars.")),
  cache_creation_input_token_cost_above_1hr: optional(amount(0, "For what is cached for an hour.")),
  input_cost_per_token_above_200k_tokens: optional(amount(0, "For calls with an input so long.")),
  output_cost_per_token_above_200k_tokens: optional(amount(0, "For calls with an input so long.")),
  cache_read_input_token_cost_above_200k_tokens: optional(amount(0, "For calls with an input so long.")),
  cache_creation_input_token_cost_above_200k_tokens: optional(amount(0, "For calls with an input so long.")),
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

/** The price options that exist for each tier too, by what they are in a deployment's prices. */
export const tierPrices = {
  inputPerToken: "input_cost_per_token",
  outputPerToken: "output_cost_per_token",
  cacheReadPerToken: "cache_read_input_token_cost",
  cacheWritePerToken: "cache_creation_input_token_cost",
  inputPerTokenAbove200k: "input_cost_per_token_above_200k_tokens",
  outputPerTokenAbove200k: "output_cost_per_token_above_200k_tokens",
  cacheReadPerTokenAbove200k: "cache_read_input_token_cost_above_200k_tokens",
  cacheWritePerTokenAbove200k: "cache_creation_input_token_cost_above_200k_tokens",
  inputPerAudioToken: "input_cost_per_audio_token",
} as const satisfies Record<string, keyof typeof priceOptions>;

/** `input_cost_per_token_flex` and the like. */
export const tierPriceOptions: Readonly<Record<string, Option<number | undefined>>> = Object.fromEntries(
  pricedTiers.flatMap(({ suffix, tier }) =>
    Object.values(tierPrices).map((key) => [
      `${key}_${suffix}`,
      optional(amount(0, `For calls that the tier \`${tier}\` served.`)),
    ]),
  ),
);
