import type { JsonObject } from "./json.ts";
import type { LimitScope } from "./principal.ts";

/** Seconds; each absent one has the router's default. */
export interface DeploymentTimeouts {
  readonly connect?: number;
  readonly firstByte?: number;
  readonly betweenChunks?: number;
  readonly whole?: number;
}

/** US dollars per token that may depend on how long the input is. */
interface VariablePrices {
  readonly inputPerToken?: number;
  readonly outputPerToken?: number;
  readonly cacheReadPerToken?: number;
  readonly cacheWritePerToken?: number;
}

/** Prices in force for calls whose input has more tokens than `above`. */
export interface LongInputPrices extends VariablePrices {
  readonly above: number;
}

/** US dollars per token of a service tier. */
export interface TokenPrices extends VariablePrices {
  readonly inputPerAudioToken?: number;
  /** From the shortest on. */
  readonly long?: readonly LongInputPrices[];
}

/** US dollars per token or second of video, set in the configuration where the price list is wrong or silent. */
export interface PriceOverride extends TokenPrices {
  /** What is cached for an hour rather than five minutes. */
  readonly cacheWriteLongPerToken?: number;
  readonly outputPerAudioToken?: number;
  readonly outputPerReasoningToken?: number;
  readonly outputPerSecond?: number;
  /** Of other tiers than the standard one, by the name that answers give them. */
  readonly tiers?: ReadonlyMap<string, TokenPrices>;
}

/** One entry of `model_list`: a model at a provider under a name of ours. */
export interface Deployment {
  /** `model_info.id`, else a hash of the entry, the same on every replica with the same entry. */
  readonly id: string;
  /** The name callers use (`model_name`), possibly a wildcard such as `anthropic/*`. */
  readonly modelName: string;
  /** Provider name, the part before the slash of `model`: key of the provider registry. */
  readonly provider: string;
  /** The model's name at the provider, possibly with a wildcard that the call fills in. */
  readonly model: string;
  /** Absent: the provider's default address or environment. */
  readonly apiBase: string | undefined;
  readonly apiKey: string | undefined;
  readonly apiVersion: string | undefined;
  readonly region: string | undefined;
  readonly rpm: number | undefined;
  readonly tpm: number | undefined;
  readonly maxParallelRequests: number | undefined;
  /** Budgets that its calls count in: its own, and its provider's; absent where it has none. */
  readonly budgets?: readonly LimitScope[];
  readonly weight: number | undefined;
  readonly order: number | undefined;
  readonly timeouts: DeploymentTimeouts;
  readonly prices: PriceOverride;
  /** The entry's further parameters (`temperature`, `extra_headers`, `drop_params`, ...), as read. */
  readonly params: JsonObject;
  /** `model_info` as read. */
  readonly info: JsonObject;
  /** The text that answers every call of it, which then calls nobody; absent where its provider is called. */
  readonly mockResponse?: string;
  /** Made at run time and kept in the store; absent for an entry of the configuration file. */
  readonly isStored?: boolean;
}

/** A deployment as it serves a call, together with the model's name at it; where its own has a wildcard, both are filled in. */
export interface Target {
  readonly deployment: Deployment;
  readonly model: string;
}
