import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { count } from "./neutral-usage.ts";
import { withServiceTier } from "./service-tier.ts";

/**
 * Reads Anthropic's `usage`, whose `input_tokens` leaves out what a cache served or took.
 * @param earlier what `message_start` said; members that `message_delta` leaves out keep its values
 */
export function readMessagesUsage(usage: unknown, earlier?: Usage): Usage | undefined {
  if (!isJsonObject(usage)) return earlier;
  const cacheRead = pick(usage.cache_read_input_tokens, earlier?.cacheRead);
  const cacheWrite = pick(usage.cache_creation_input_tokens, earlier?.cacheWrite);
  const earlierPlain =
    earlier === undefined ? undefined : earlier.input - earlier.cacheRead - earlier.cacheWrite;
  const details = isJsonObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const counts = {
    input: pick(usage.input_tokens, earlierPlain) + cacheRead + cacheWrite,
    output: pick(usage.output_tokens, earlier?.output),
    cacheRead,
    cacheWrite,
    reasoning: pick(details.thinking_tokens, earlier?.reasoning),
  };
  const tier = usage.speed === "fast" ? "fast" : (usage.service_tier ?? earlier?.serviceTier);
  const read = withServiceTier(counts, tier);
  const written = isJsonObject(usage.cache_creation) ? usage.cache_creation : {};
  const cacheWriteLong = pick(written.ephemeral_1h_input_tokens, earlier?.cacheWriteLong);
  return cacheWriteLong === 0 ? read : { ...read, cacheWriteLong };
}

/** Usage as Messages write it. */
export function writeMessagesUsage(usage: Usage | undefined): JsonObject {
  const { input, output, cacheRead, cacheWrite, reasoning, serviceTier } = usage ?? noUsage;
  return {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
    ...(serviceTier === "priority" || serviceTier === "batch" ? { service_tier: serviceTier } : {}),
  };
}

function pick(value: unknown, earlier: number | undefined): number {
  return value === undefined || value === null ? (earlier ?? 0) : count(value);
}
