/** A parsed JSON object whose members nobody has checked yet. */
export type JsonObject = { [key: string]: unknown };

/** Whether a parsed JSON value is an object (not an array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value where it is an object, else an empty one, for members of answers that may be missing or of another type. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
