import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { check } from "../contract/check.ts";
import { defined, isJsonObject, type JsonObject, parseJsonObject } from "../contract/json.ts";
import { amount, flag, list, object, text, whole, word } from "../contract/schema.ts";

/**
 * Readers of request members that nobody has checked yet. Each takes the value and its path in the request
 * (`messages.2.content`), and throws a 400 `GatewayError` that names the path and says what was expected.
 */
export type Read<T> = (value: unknown, path: string) => T;

/** A member that may be absent or null. */
export function optional<T>(read: Read<T>, value: unknown, path: string): T | undefined {
  return value === undefined || value === null ? undefined : read(value, path);
}

// Requests are translated by these readers, so what fits is told by one comparison; `check` says what does not.
const anObject = object();
const anArray = list({});
const aString = text();
const aFlag = flag();
const aNumber = amount();
const anInteger = whole();
const aPositiveInteger = whole(undefined, { minimum: 1 });

export const readObject: Read<JsonObject> = (value, path) =>
  isJsonObject(value) ? value : check(anObject, value, path);

export const readArray: Read<readonly unknown[]> = (value, path) =>
  Array.isArray(value) ? value : check(anArray, value, path);

export const readString: Read<string> = (value, path) =>
  typeof value === "string" ? value : check(aString, value, path);

export const readBoolean: Read<boolean> = (value, path) =>
  typeof value === "boolean" ? value : check(aFlag, value, path);

export const readNumber: Read<number> = (value, path) =>
  typeof value === "number" ? value : check(aNumber, value, path);

/** A count of at least one. */
export const readPositiveInteger: Read<number> = (value, path) => check(aPositiveInteger, value, path);

export const readInteger: Read<number> = (value, path) => check(anInteger, value, path);

/** One of a few names; the error is OpenAI's `invalid_value`. */
export function readName(names: readonly string[]): Read<string> {
  const schema = word(names);
  return (value, path) => check(schema, value, path);
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

/** Whose request it is: `safety_identifier`, or `user` as it was called before. */
export function readUser(body: JsonObject): string | undefined {
  const name = body.safety_identifier == null ? "user" : "safety_identifier";
  return optional(readString, body[name], name);
}

/** A tool call's arguments as an object; a model that wrote no JSON object has its text under `input`. */
export function toolInputObject(input: string): JsonObject {
  return parseJsonObject(input) ?? (input.trim() === "" ? {} : { input });
}

/** The text of content parts, refusals included. */
export function textOfParts(parts: readonly (readonly [JsonObject, string])[]): string {
  return parts
    .map(([part, at]) =>
      part.type === "refusal"
        ? readString(part.refusal, `${at}.refusal`)
        : readString(part.text, `${at}.text`),
    )
    .join("");
}

/** A function's definition, which chat completions and Responses write alike. */
export function readFunctionTool(value: unknown, path: string): LanguageModelV3FunctionTool {
  const definition = readObject(value, path);
  return {
    type: "function",
    name: readString(definition.name, `${path}.name`),
    inputSchema: optional(readObject, definition.parameters, `${path}.parameters`) ?? {
      type: "object",
      properties: {},
    },
    ...defined({
      description: optional(readString, definition.description, `${path}.description`),
      strict: optional(readBoolean, definition.strict, `${path}.strict`),
    }),
  };
}
