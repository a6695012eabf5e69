import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/**
 * A request's `metadata` without its list of `tags`, by which LiteLLM's callers choose deployments: providers and
 * official clients take nothing but texts there.
 */
export function withoutTags(metadata: JsonObject): JsonObject;
export function withoutTags(metadata: unknown): unknown;
export function withoutTags(metadata: unknown): unknown {
  if (!isJsonObject(metadata) || !Array.isArray(metadata.tags)) return metadata;
  const { tags: _, ...rest } = metadata;
  return rest;
}
