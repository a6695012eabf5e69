import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Whether a caller asked for the chunk with the usage. */
export function wantsUsageChunk(request: JsonObject): boolean {
  return isJsonObject(request.stream_options) && request.stream_options.include_usage === true;
}

/** Whether a chunk is the one without choices that `stream_options.include_usage` adds before the end. */
export function isUsageChunk({ choices, usage }: JsonObject): boolean {
  return Array.isArray(choices) && choices.length === 0 && isJsonObject(usage);
}
