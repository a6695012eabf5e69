import type { JSONObject, LanguageModelV3Usage } from "@ai-sdk/provider";
import { defined, isJsonObject, type JsonObject, objectOf } from "../contract/json.ts";
import { noUsage, type Usage } from "../contract/usage.ts";

/**
 * Reads OpenAI's `usage` of chat completions and embeddings; DeepSeek's names for cache hits are understood too.
 * @param serviceTier the answer's `service_tier`
 */
export function readChatUsage(usage: unknown, serviceTier?: unknown): Usage | undefined {
  if (!isJsonObject(usage) || !areCounts(usage.prompt_tokens, usage.completion_tokens)) return undefined;
  const prompt = objectOf(usage.prompt_tokens_details);
  const completion = objectOf(usage.completion_tokens_details);
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

/**
 * Reads Anthropic's `usage`, whose `input_tokens` leaves out what a cache served or took.
 * @param earlier what `message_start` said; members that `message_delta` leaves out keep its values
 */
export function readMessagesUsage(usage: unknown, earlier?: Usage): Usage | undefined {
  if (!isJsonObject(usage)) return earlier;
  const { input_tokens: input, output_tokens: output } = usage;
  // What a stream's end says alone is no count of the call, where its start said nothing that can be.
  const hasInput = isCount(input) || earlier !== undefined;
  if (!hasInput || !areCounts(input, output)) return undefined;
  const cacheRead = pick(usage.cache_read_input_tokens, earlier?.cacheRead);
  const cacheWrite = pick(usage.cache_creation_input_tokens, earlier?.cacheWrite);
  const earlierPlain =
    earlier === undefined ? undefined : earlier.input - earlier.cacheRead - earlier.cacheWrite;
  const details = objectOf(usage.output_tokens_details);
  const counts = {
    input: pick(input, earlierPlain) + cacheRead + cacheWrite,
    output: pick(output, earlier?.output),
    cacheRead,
    cacheWrite,
    reasoning: pick(details.thinking_tokens, earlier?.reasoning),
  };
  const tier = usage.speed === "fast" ? "fast" : (usage.service_tier ?? earlier?.serviceTier);
  const read = withServiceTier(counts, tier);
  const written = objectOf(usage.cache_creation);
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

/**
 * Reads the `usage` of OpenAI's Responses.
 * @param serviceTier the answer's `service_tier`
 */
export function readResponsesUsage(usage: unknown, serviceTier?: unknown): Usage | undefined {
  if (!isJsonObject(usage) || !areCounts(usage.input_tokens, usage.output_tokens)) return undefined;
  const input = objectOf(usage.input_tokens_details);
  const output = objectOf(usage.output_tokens_details);
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

/** The neutral model's counts as ours; `undefined` when the provider counted nothing, or nothing that can be. */
export function fromNeutralUsage(usage: LanguageModelV3Usage): Usage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  if (!areCounts(inputTokens.total, outputTokens.total)) return undefined;
  return {
    input: count(inputTokens.total),
    output: count(outputTokens.total),
    cacheRead: count(inputTokens.cacheRead),
    cacheWrite: count(inputTokens.cacheWrite),
    reasoning: count(outputTokens.reasoning),
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

/** More tokens than any call has. Sums of so many stay whole numbers, and both databases hold them. */
const MAX_COUNT = 1e9;

/** A count out of an answer, rounded up: what no count can be counts as nothing. */
export function count(value: unknown): number {
  return isCount(value) ? Math.ceil(value) : 0;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_COUNT;
}

/**
 * Whether a provider's counts are such, or absent. Where one is neither, none of them can be trusted: the call is then
 * counted here, because believed they would make it free, or use up the budgets of all levels for good.
 */
export function areCounts(...values: readonly unknown[]): boolean {
  return values.every((value) => value === undefined || value === null || isCount(value));
}

/** Words of providers for the tier that everyone has. */
const standardWords: ReadonlySet<string> = new Set([
  "default",
  "standard",
  "auto",
  "on_demand",
  "unspecified",
  "traffic_type_unspecified",
]);

/**
 * The tier that a provider says served a call, in OpenAI's words; `undefined` for the standard one. Vertex AI says
 * `ON_DEMAND_PRIORITY`, the others `priority`.
 */
function readServiceTier(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const word = value.toLowerCase();
  return standardWords.has(word) ? undefined : word.replace(/^on_demand_/, "");
}

/** `usage` with the tier that served the call, where that is not the standard one. */
export function withServiceTier<T extends object>(usage: T, value: unknown): T & { serviceTier?: string } {
  const serviceTier = readServiceTier(value);
  return serviceTier === undefined ? usage : { ...usage, serviceTier };
}
