import type { JsonObject, JsonValue } from "../util/json.ts";

/** A member under its camel-case name or, as Google's JSON mapping allows, in snake case. */
export function member(object: JsonObject, name: string): JsonValue | undefined {
  return object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
