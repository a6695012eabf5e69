import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { parseJsonObject } from "../shared/parse-json.ts";
import type { SseEvent } from "../stream/sse-event.ts";

/** Whether a caller asked for the chunk with the usage. */
export function wantsUsageChunk(request: JsonObject): boolean {
  return isJsonObject(request.stream_options) && request.stream_options.include_usage === true;
}

/** Whether an event is the chunk without choices that `stream_options.include_usage` adds before the end. */
export function isUsageChunk(event: SseEvent): boolean {
  if (!event.data.includes('"choices"') || !event.data.includes('"usage"')) return false;
  if (event.data.includes('"delta"')) return false;
  const chunk = parseJsonObject(event.data);
  return Array.isArray(chunk?.choices) && chunk.choices.length === 0 && isJsonObject(chunk.usage);
}
