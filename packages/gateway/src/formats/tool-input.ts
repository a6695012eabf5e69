import type { JsonObject } from "../contract/json.ts";
import { parseJsonObject } from "./shared/parse-json.ts";

/** A tool call's arguments as an object; a model that wrote no JSON object has its text under `input`. */
export function toolInputObject(input: string): JsonObject {
  return parseJsonObject(input) ?? (input.trim() === "" ? {} : { input });
}
