import { invalidRequest } from "../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";

/**
 * Metadata as OpenAI limits it: 16 texts of 512 characters under names of 64.
 * @throws GatewayError 400
 */
export function checkMetadata(metadata: unknown): asserts metadata is JsonObject | null | undefined {
  if (metadata === undefined || metadata === null) return;
  if (!isJsonObject(metadata)) throw invalidRequest("metadata must be an object of texts", "metadata");
  const entries = Object.entries(metadata);
  if (entries.length > 16) throw invalidRequest("metadata: at most 16 members are allowed", "metadata");
  for (const [key, value] of entries) {
    if (typeof value !== "string" || value.length > 512 || key.length > 64)
      throw invalidRequest(
        "metadata: names of at most 64 and texts of at most 512 characters are allowed",
        "metadata",
      );
  }
}

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
