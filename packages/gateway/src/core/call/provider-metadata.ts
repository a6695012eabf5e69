import { type JsonObject, objectOf } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { withoutTags } from "../../formats/shared/metadata-tags.ts";

/** Whether a provider gets another `metadata` than the request has. */
export function changesMetadata({ metadata, store }: JsonObject, format: WireFormat): boolean {
  if (metadata === undefined || metadata === null) return false;
  return (format === "chat" && store !== true) || Array.isArray(objectOf(metadata).tags);
}

/**
 * `metadata` as the provider gets it. Tags are the gateway's, and providers refuse lists there. LiteLLM's callers put
 * what is meant for the log there, and OpenAI's chat completions refuse it unless the answer is stored.
 */
export function providerMetadata(
  { metadata, store }: JsonObject,
  format: WireFormat,
): JsonObject | undefined {
  if (format === "chat" && store !== true) return undefined;
  const rest = withoutTags(objectOf(metadata));
  return Object.keys(rest).length === 0 ? undefined : rest;
}
