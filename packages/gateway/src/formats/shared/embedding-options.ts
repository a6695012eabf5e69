import type { EmbeddingModelV3CallOptions, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject } from "../../contract/json.ts";
import { optionsFor } from "./provider-options.ts";

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

/** Key of `providerOptions` under which the dialect and the providers exchange these settings. */
const NEUTRAL_KEY = "portico";

/** Settings as a `providerOptions` entry; none when nothing is set. */
export function embeddingOptions(options: EmbeddingOptions): SharedV3ProviderOptions {
  return optionsFor(NEUTRAL_KEY, { ...options });
}

/** The settings that the dialect put into the call. */
export function readEmbeddingOptions({ providerOptions }: EmbeddingModelV3CallOptions): EmbeddingOptions {
  const found: unknown = providerOptions?.[NEUTRAL_KEY];
  return isJsonObject(found) ? (found as EmbeddingOptions) : {};
}
