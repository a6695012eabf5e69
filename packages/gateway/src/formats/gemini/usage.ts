import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { areCounts, count, withServiceTier } from "../usage.ts";

/**
 * Reads Google's `usageMetadata`, whose `candidatesTokenCount` leaves out thoughts, and whose `promptTokenCount` leaves
 * out what its own tools read (Gemini API reference, "UsageMetadata"; Vertex AI names the tier `trafficType`).
 */
export function readGeminiUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage) || !areCounts(usage.promptTokenCount, usage.candidatesTokenCount))
    return undefined;
  const reasoning = count(usage.thoughtsTokenCount);
  const counts = {
    input: count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount),
    output: count(usage.candidatesTokenCount) + reasoning,
    cacheRead: count(usage.cachedContentTokenCount),
    cacheWrite: 0,
    reasoning,
  };
  const inputAudio = audioTokens(usage.promptTokensDetails);
  const outputAudio = audioTokens(usage.candidatesTokensDetails);
  const audio = {
    ...(inputAudio === 0 ? {} : { inputAudio }),
    ...(outputAudio === 0 ? {} : { outputAudio }),
  };
  return withServiceTier({ ...counts, ...audio }, usage.serviceTier ?? usage.trafficType);
}

function audioTokens(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  let sum = 0;
  for (const part of details)
    if (isJsonObject(part) && part.modality === "AUDIO") sum += count(part.tokenCount);
  return sum;
}

/** Usage as Google writes it. */
export function writeGeminiUsage(usage: Usage | undefined): JsonObject {
  const { input, output, cacheRead, reasoning } = usage ?? noUsage;
  return {
    promptTokenCount: input,
    candidatesTokenCount: Math.max(0, output - reasoning),
    totalTokenCount: input + output,
    ...(cacheRead > 0 ? { cachedContentTokenCount: cacheRead } : {}),
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
  };
}
