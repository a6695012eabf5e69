import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import type { SseEvent } from "../sse-event.ts";

/** Whether a caller asked for the chunk with the usage. */
export function wantsUsageChunk(request: JsonObject): boolean {
  return isJsonObject(request.stream_options) && request.stream_options.include_usage === true;
}

/** Whether an event is the chunk without choices that `stream_options.include_usage` adds before the end. */
export function isUsageChunk(event: SseEvent): boolean {
  // Without the quote before it, which every name begins with, the search is several times as fast.
  if (!event.data.includes('usage"') || event.data.includes('"delta"')) return false;
  const chunk = parseJsonObject(event.data);
  return Array.isArray(chunk?.choices) && chunk.choices.length === 0 && isJsonObject(chunk.usage);
}
