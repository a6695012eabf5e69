import { GatewayError, invalidRequest } from "../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";

/**
 * Readers of request members that nobody has checked yet. Each takes the value and its path in the request
 * (`messages.2.content`), and throws a 400 `GatewayError` that names the path and says what was expected.
 */
export type Read<T> = (value: unknown, path: string) => T;

/** A member that may be absent or null. */
export function optional<T>(read: Read<T>, value: unknown, path: string): T | undefined {
  return value === undefined || value === null ? undefined : read(value, path);
}

export const readObject: Read<JsonObject> = (value, path) => {
  if (!isJsonObject(value)) throw expected("an object", value, path);
  return value;
};

export const readArray: Read<readonly unknown[]> = (value, path) => {
  if (!Array.isArray(value)) throw expected("an array", value, path);
  return value;
};

export const readString: Read<string> = (value, path) => {
  if (typeof value !== "string") throw expected("a string", value, path);
  return value;
};

export const readBoolean: Read<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw expected("true or false", value, path);
  return value;
};

export const readNumber: Read<number> = (value, path) => {
  if (typeof value !== "number") throw expected("a number", value, path);
  return value;
};

/** A count of at least one. */
export const readPositiveInteger: Read<number> = (value, path) => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) {
    throw expected("a positive integer", value, path);
  }
  return value;
};

export const readInteger: Read<number> = (value, path) => {
  if (typeof value !== "number" || !Number.isInteger(value)) throw expected("an integer", value, path);
  return value;
};

/** Characters of a wrong name that an error repeats. */
const MAX_SHOWN = 64;

/** One of a few names; the error is OpenAI's `invalid_value`. */
export function readName(names: readonly string[]): Read<string> {
  return (value, path) => {
    const name = readString(value, path);
    if (names.includes(name)) return name;
    const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
    const supported = names.map((each) => `'${each}'`).join(", ");
    const text = `Invalid value: '${shown}'. Supported values are: ${supported}.`;
    const options = { param: path, providerCode: "invalid_value" };
    throw new GatewayError(400, "invalid_request_error", text, options);
  };
}

/** A list each of whose items `read` takes. */
export function readList<T>(read: Read<T>): Read<T[]> {
  return (value, path) => readArray(value, path).map((item, index) => read(item, `${path}.${index}`));
}

/** A list of objects, each with its path. */
export const readObjects: Read<[JsonObject, string][]> = readList((item, path) => [
  readObject(item, path),
  path,
]);

/** The 400 for a value of the wrong kind; shows what it is, never its content. */
function expected(what: string, value: unknown, path: string): Error {
  return invalidRequest(`${path}: expected ${what}, got ${kindOf(value)}`, path);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "boolean" ? "a boolean" : `a ${typeof value}`;
}
