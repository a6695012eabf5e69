import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { count } from "./neutral-usage.ts";
import { withServiceTier } from "./service-tier.ts";

/**
 * Reads OpenAI's `usage` of chat completions and embeddings; DeepSeek's names for cache hits are understood too.
 * @param serviceTier the answer's `service_tier`
 */
export function readChatUsage(usage: unknown, serviceTier?: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const prompt = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const counts = {
    input: count(usage.prompt_tokens),
    output: count(usage.completion_tokens),
    cacheRead: count(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens),
    cacheWrite: count(prompt.cache_write_tokens ?? usage.cache_creation_input_tokens),
    reasoning: count(completion.reasoning_tokens),
  };
  const read = withServiceTier(counts, serviceTier);
  const inputAudio = count(prompt.audio_tokens);
  const outputAudio = count(completion.audio_tokens);
  return inputAudio + outputAudio === 0 ? read : { ...read, inputAudio, outputAudio };
}

/** Usage as chat completions write it. */
export function writeChatUsage(usage: Usage): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: usage.inputAudio ?? 0,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.outputAudio ?? 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
