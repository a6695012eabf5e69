import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Whether a caller asked for the chunk with the usage. */
export function wantsUsageChunk(request: JsonObject): boolean {
  return isJsonObject(request.stream_options) && request.stream_options.include_usage === true;
}
