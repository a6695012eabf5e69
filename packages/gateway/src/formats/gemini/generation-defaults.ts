import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import { reasoningBudget } from "../reasoning-effort.ts";

/** A deployment's defaults, in the words of chat completions, by where `generationConfig` has them. */
const NAMES: Readonly<Record<string, string>> = {
  temperature: "temperature",
  top_p: "topP",
  top_k: "topK",
  max_tokens: "maxOutputTokens",
  max_completion_tokens: "maxOutputTokens",
  max_output_tokens: "maxOutputTokens",
  stop: "stopSequences",
  seed: "seed",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
};

/** Settings of one call, in Google's words. */
export function generationSettings(settings: JsonObject): JsonObject {
  const named: JsonObject = {};
  for (const [name, value] of Object.entries(settings)) {
    const own = NAMES[name];
    if (own === undefined || value === undefined) continue;
    named[own] ??= own === "stopSequences" && typeof value === "string" ? [value] : value;
  }
  const { reasoning_effort: effort } = settings;
  // Every generation of Gemini takes a budget; only the newer ones take a level.
  if (typeof effort === "string")
    named.thinkingConfig = { thinkingBudget: effort === "none" ? 0 : reasoningBudget({ effort }) };
  return named;
}

/**
 * A request's `generationConfig` with a deployment's defaults where it is silent, and the command line's settings in any
 * case; `undefined` where nothing changes.
 */
export function withGenerationSettings(
  { generationConfig: given }: JsonObject,
  defaults: JsonObject,
  overrides: JsonObject,
): JsonObject | undefined {
  // A malformed one is for its reader to refuse.
  if (given !== undefined && given !== null && !isJsonObject(given)) return undefined;
  const config = objectOf(given);
  const silent = Object.entries(defaults).filter(([name]) => config[name] === undefined);
  if (silent.length === 0 && Object.keys(overrides).length === 0) return undefined;
  return { ...config, ...Object.fromEntries(silent), ...overrides };
}

/** The request's limit on output tokens; absent when it sets none. */
export function geminiMaxTokens({ generationConfig }: JsonObject): number | undefined {
  const value = objectOf(generationConfig).maxOutputTokens;
  return typeof value === "number" && value >= 0 ? value : undefined;
}

/** Answers that one request asks for. */
export function geminiCandidates({ generationConfig }: JsonObject): number {
  const value = objectOf(generationConfig).candidateCount;
  return typeof value === "number" && value > 1 ? Math.ceil(value) : 1;
}
