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

const isCountName = /TokenCount$/;
const isDetailsName = /TokensDetails$/;

/**
 * An answer whose counts are such: where one of the two that matter is none, none of them stays, and of the others those
 * do that are. The same object where all are.
 */
export function withReadableUsage(answer: JsonObject): JsonObject {
  const { usageMetadata: usage, ...rest } = answer;
  if (usage === undefined || usage === null) return answer;
  if (!isJsonObject(usage) || !areCounts(usage.promptTokenCount, usage.candidatesTokenCount)) return rest;
  const members = Object.entries(usage);
  const readable = members.filter(([name, value]) => isReadable(name, value));
  if (readable.length === members.length) return answer;
  return { ...rest, usageMetadata: Object.fromEntries(readable) };
}

function isReadable(name: string, value: unknown): boolean {
  if (isCountName.test(name)) return areCounts(value);
  if (isDetailsName.test(name)) return value === null || (Array.isArray(value) && value.every(isDetail));
  return typeof value === "string" || value === null || (name !== "serviceTier" && name !== "trafficType");
}

function isDetail(detail: unknown): boolean {
  if (!isJsonObject(detail) || typeof detail.modality !== "string") return false;
  return typeof detail.tokenCount === "number" && areCounts(detail.tokenCount);
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
