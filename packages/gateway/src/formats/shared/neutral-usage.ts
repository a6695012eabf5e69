import type { JSONObject, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { defined } from "../../util/defined.ts";
import { withServiceTier } from "./service-tier.ts";

/** Our counts as the neutral model's. */
export function toNeutralUsage(usage: Usage | undefined): LanguageModelV3Usage {
  return {
    inputTokens: {
      total: usage?.input,
      noCache: usage === undefined ? undefined : usage.input - usage.cacheRead - usage.cacheWrite,
      cacheRead: usage?.cacheRead,
      cacheWrite: usage?.cacheWrite,
    },
    outputTokens: {
      total: usage?.output,
      text: usage === undefined ? undefined : usage.output - usage.reasoning,
      reasoning: usage?.reasoning,
    },
    ...rawOf(usage),
  };
}

function rawOf(usage: Usage | undefined): Pick<LanguageModelV3Usage, "raw"> {
  const { cacheWriteLong, inputAudio, outputAudio, serviceTier } = usage ?? {};
  const raw = defined({ cacheWriteLong, inputAudio, outputAudio, serviceTier });
  return Object.keys(raw).length === 0 ? {} : { raw: raw as JSONObject };
}

/** The neutral model's counts as ours; `undefined` when the provider counted nothing. */
export function fromNeutralUsage(usage: LanguageModelV3Usage): Usage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    cacheRead: inputTokens.cacheRead ?? 0,
    cacheWrite: inputTokens.cacheWrite ?? 0,
    reasoning: outputTokens.reasoning ?? 0,
    ...partsOf(usage.raw ?? {}),
  };
}

/** What the neutral model has no member for: counts of ours, Google's of sound, and the tier in either's words. */
function partsOf(raw: JsonObject): Partial<Usage> {
  const cacheWriteLong = count(raw.cacheWriteLong);
  const inputAudio = count(raw.inputAudio) + audioTokens(raw.promptTokensDetails);
  const outputAudio = count(raw.outputAudio) + audioTokens(raw.candidatesTokensDetails);
  const parts = {
    ...(cacheWriteLong === 0 ? {} : { cacheWriteLong }),
    ...(inputAudio === 0 ? {} : { inputAudio }),
    ...(outputAudio === 0 ? {} : { outputAudio }),
  };
  return withServiceTier(parts, raw.serviceTier ?? raw.trafficType);
}

function audioTokens(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  return details.reduce<number>(
    (sum, part) => sum + (isJsonObject(part) && part.modality === "AUDIO" ? count(part.tokenCount) : 0),
    0,
  );
}

/** A count out of an answer: anything but a number that is finite and not negative counts as nothing. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
