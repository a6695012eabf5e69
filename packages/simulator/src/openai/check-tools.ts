import { type JsonObject, objectOf } from "../util/json.ts";
import { invalidRequest, invalidValue } from "./failures.ts";

const MAX_TOOLS = 128;
const MAX_NAME = 64;
/** Words that OpenAI refuses at the top of a function's parameters. */
const NOT_ON_TOP = ["oneOf", "anyOf", "allOf", "enum", "const", "not"];

/** Refuses more tools than OpenAI takes. */
export function checkToolCount(tools: readonly JsonObject[]): void {
  if (tools.length <= MAX_TOOLS) return;
  const message = `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${tools.length} instead.`;
  throw invalidRequest(message, "tools", "array_above_max_length");
}

/**
 * Refuses a function's name and parameters as OpenAI does.
 * @param path of the function: `tools[0].function`
 */
export function checkFunction(name: string, parameters: unknown, path: string): void {
  const at = `${path}.name`;
  if (name === "") {
    const message = `Invalid '${at}': empty string. Expected a string with minimum length 1, but got an empty string instead.`;
    throw invalidRequest(message, at, "empty_string");
  }
  if (name.length > MAX_NAME) {
    const message = `Invalid '${at}': string too long. Expected a string with maximum length ${MAX_NAME}, but got a string with length ${name.length} instead.`;
    throw invalidRequest(message, at, "string_above_max_length");
  }
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
    const message = `Invalid '${at}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    throw invalidValue(at, message);
  }
  const schema = objectOf(parameters);
  if (NOT_ON_TOP.every((word) => schema[word] === undefined)) return;
  const message = `Invalid schema for function '${name}': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`;
  throw invalidRequest(message, `${path}.parameters`, "invalid_function_parameters");
}
