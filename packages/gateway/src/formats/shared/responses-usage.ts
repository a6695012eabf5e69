import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { count } from "./neutral-usage.ts";
import { withServiceTier } from "./service-tier.ts";

/**
 * Reads the `usage` of OpenAI's Responses.
 * @param serviceTier the answer's `service_tier`
 */
export function readResponsesUsage(usage: unknown, serviceTier?: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const input = isJsonObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const read = {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(input.cached_tokens),
    cacheWrite: count(input.cache_write_tokens),
    reasoning: count(output.reasoning_tokens),
  };
  return withServiceTier(read, serviceTier);
}

/** Usage as Responses write it. */
export function writeResponsesUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}
