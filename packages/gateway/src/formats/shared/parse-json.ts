import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Parses text that must be a JSON object; `undefined` when it is anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
