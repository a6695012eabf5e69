import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optionsFor } from "../shared/provider-options.ts";

/** A block's `cache_control`, kept for providers that have prompt caching by the block. */
export function readCacheControl(block: JsonObject): SharedV3ProviderOptions {
  const control = block.cache_control;
  return isJsonObject(control) ? optionsFor("anthropic", { cacheControl: control }) : {};
}
