/** Any JSON value as `JSON.parse` gives it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object whose members may be missing. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** True for a JSON object (not null, not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a text has as JSON; `undefined` for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The value as an object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value when it is a string. */
export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value when it is a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The value when it is an array, else an empty one. */
export function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The objects among an array's elements. */
export function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return listOf(value).filter(isObject);
}

/** The strings among an array's elements; a lone string counts as an array of one. */
export function stringsIn(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  return listOf(value).filter((item) => typeof item === "string");
}
