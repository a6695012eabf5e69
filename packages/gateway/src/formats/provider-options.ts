import type {
  EmbeddingModelV3CallOptions,
  JSONObject,
  LanguageModelV3CallOptions,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, objectOf } from "../contract/json.ts";
import { providerSettings } from "../platform/config/options/deployment-options.ts";

/** A part's `providerOptions` (or `providerMetadata`) for one provider; empty when there is nothing to say. */
export function optionsFor(provider: string, members: JsonObject): SharedV3ProviderOptions {
  return Object.keys(members).length === 0 ? {} : { [provider]: members as JSONObject };
}

/** A `providerOptions` member to spread into a part; none when there is nothing to say. */
export function withOptions(...options: readonly SharedV3ProviderOptions[]): {
  providerOptions?: SharedV3ProviderOptions;
} {
  const merged = Object.assign({}, ...options) as SharedV3ProviderOptions;
  return Object.keys(merged).length === 0 ? {} : { providerOptions: merged };
}

/** How much a model should reason before it answers, as the caller put it. */
export interface ReasoningOption {
  /** The caller switched reasoning off. */
  readonly disabled?: boolean;
  /** OpenAI's and Anthropic's words: minimal, low, medium, high, xhigh, max. */
  readonly effort?: string;
  /** Tokens that reasoning may use. */
  readonly budgetTokens?: number;
  /** `auto`, `concise`, `detailed`: how reasoning is summarised, where the provider does that. */
  readonly summary?: string;
}

/** Settings that several providers have, but that the neutral call options have no member for. */
export interface NeutralOptions {
  readonly reasoning?: ReasoningOption;
  readonly parallelToolCalls?: boolean;
  /** The caller's end user, for the provider's abuse detection. */
  readonly user?: string;
  /** In OpenAI's words: `auto`, `default`, `flex`, `priority`, ... */
  readonly serviceTier?: string;
}

/** Key of `providerOptions` under which dialects and providers exchange these settings. */
const NEUTRAL_KEY = "portico";

/** Settings as a `providerOptions` entry; none when nothing is set. */
export function neutralOptions(options: NeutralOptions): SharedV3ProviderOptions {
  return optionsFor(NEUTRAL_KEY, { ...options });
}

/** The settings that a dialect put into the call. */
export function readNeutralOptions(options: LanguageModelV3CallOptions): NeutralOptions {
  const found: unknown = options.providerOptions?.[NEUTRAL_KEY];
  return isJsonObject(found) ? (found as NeutralOptions) : {};
}

/** The tier that the caller asks for where it has a price of its own at several providers; the usual one otherwise. */
export function boughtTier(options: LanguageModelV3CallOptions): "flex" | "priority" | undefined {
  const { serviceTier } = readNeutralOptions(options);
  return serviceTier === "flex" || serviceTier === "priority" ? serviceTier : undefined;
}

/** Key of `providerOptions` under which the call and the providers exchange these settings. */
const SETTINGS_KEY = "portico-settings";

/**
 * The call with the settings that only its provider has a meaning for. What the deployment sets, such as a guardrail,
 * comes before what the request asks for.
 */
export function withProviderSettings(
  options: LanguageModelV3CallOptions,
  params: JsonObject,
  body: JsonObject,
): LanguageModelV3CallOptions {
  const settings: JsonObject = {};
  for (const name of providerSettings) {
    const value = params[name] ?? body[name];
    if (value !== undefined && value !== null) settings[name] = value;
  }
  if (Object.keys(settings).length === 0) return options;
  const { providerOptions } = options;
  return { ...options, providerOptions: { ...providerOptions, [SETTINGS_KEY]: settings as never } };
}

/** The settings of these names, as far as the call has them. */
export function readProviderSettings(
  { providerOptions }: LanguageModelV3CallOptions,
  names: readonly (typeof providerSettings)[number][],
): JsonObject {
  const settings = objectOf(providerOptions?.[SETTINGS_KEY]);
  return Object.fromEntries(names.filter((name) => name in settings).map((name) => [name, settings[name]]));
}

/** Settings of an embedding that the neutral call options have no member for. */
export interface EmbeddingOptions {
  /** Length of the vectors. */
  readonly dimensions?: number;
  /** What the vectors are for, in Google's words (`RETRIEVAL_QUERY`, ...). */
  readonly taskType?: string;
  /** Of the document whose text it is; Vertex AI takes it. */
  readonly title?: string;
  /** Whether Vertex AI cuts texts that are too long; it does unless told not to. */
  readonly autoTruncate?: boolean;
}

/** Settings as a `providerOptions` entry; none when nothing is set. */
export function embeddingOptions(options: EmbeddingOptions): SharedV3ProviderOptions {
  return optionsFor(NEUTRAL_KEY, { ...options });
}

/** The settings that the dialect put into the call. */
export function readEmbeddingOptions({ providerOptions }: EmbeddingModelV3CallOptions): EmbeddingOptions {
  const found: unknown = providerOptions?.[NEUTRAL_KEY];
  return isJsonObject(found) ? (found as EmbeddingOptions) : {};
}
