import type { LanguageModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject } from "../../contract/json.ts";
import { optionsFor } from "./provider-options.ts";

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
