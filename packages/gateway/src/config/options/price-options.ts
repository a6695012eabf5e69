import { amount, optional } from "../option.ts";

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
