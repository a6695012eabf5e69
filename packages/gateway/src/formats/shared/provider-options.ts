import type { JSONObject, SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";

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
