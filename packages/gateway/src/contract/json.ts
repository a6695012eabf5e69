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

/** A text as it is and a number in digits; of an object, which need not have a text, nothing. */
export function asText(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}

/** A text that is not empty, else `undefined`. */
export function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts of a list; none of anything else. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The member of that name that an object has itself; names such as `constructor` are those of every object. */
export function ownMember<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** What stands at the end of a path of names. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isJsonObject(found) ? ownMember(found, name) : undefined;
  return found;
}

/** An object without those members that are null. */
export function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** The value of a JSON text; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses text that must be a JSON object; `undefined` when it is anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without those members that are undefined, for types whose optional members may be absent only. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
