import { nearestName } from "../util/nearest-name.ts";
import { GatewayError, invalidRequest, missingText, shortened } from "./errors.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import type { Schema } from "./schema.ts";

/**
 * A value from outside, when it fits its schema.
 * @param path where it stands in the request, such as `messages.2.content`; empty for the whole body
 * @throws GatewayError 400 that names the field at fault and says what was expected, in OpenAI's words where it has some
 */
export function check<T>(schema: Schema<T>, value: unknown, path = ""): T {
  const fault = faultOf(schema, value, path);
  if (fault !== undefined) throw refused(fault);
  return value as T;
}

/**
 * A query's parameters, when they fit their schema; an empty one counts as absent.
 * @param schema an object of texts, numbers and flags
 * @throws GatewayError 400 naming the parameter
 */
export function checkQuery<T>(schema: Schema<T>, query: URLSearchParams): T {
  const given: JsonObject = {};
  for (const [name, member] of Object.entries(propertiesOf(schema))) {
    const value = query.get(name);
    // No database takes a NUL, and nothing has one in its name.
    if (value?.includes("\u0000")) throw invalidRequest(`${name}: expected a text without NUL`, name);
    if (value !== null && value !== "") given[name] = fromText(member, value);
  }
  return check(schema, given);
}

/**
 * A form's fields, when they fit their schema; files are checked where they arrive. No form has a null: hooks put it
 * there to take a field away.
 * @throws GatewayError 400 naming the field
 */
export function checkForm<T>(schema: Schema<T>, fields: JsonObject): T {
  const given: JsonObject = { ...fields };
  for (const [name, member] of Object.entries(propertiesOf(schema))) {
    const value = given[name];
    if (value === null) delete given[name];
    else if (member.format === "binary") given[name] = "";
    else if (typeof value === "string") given[name] = fromText(member, value);
  }
  return check(schema, given);
}

/** What does not fit, and where. */
interface Fault {
  readonly path: string;
  readonly value: unknown;
  /** What was expected, for `expected ..., got ...`. */
  readonly expected: string;
  /** The whole sentence where there is a better one. */
  readonly text?: string;
  readonly code?: string;
}

/** Characters of a wrong name that an error repeats. */
const MAX_SHOWN = 64;

function faultOf(schema: Schema, value: unknown, path: string): Fault | undefined {
  const { anyOf, type, enum: words } = schema;
  // Whoever asks for a member by its path needs it: what is wrong is that it is not there, whatever its type.
  if (value === undefined && path !== "") return missing(path);
  if (anyOf !== undefined) return faultOfAny(anyOf, value, path);
  if (type !== undefined && !isOf(type, value)) return { path, value, expected: nameOf(schema) };
  if (typeof value === "string")
    return words === undefined || words.includes(value)
      ? textFault(schema, value, path)
      : notAmong(words, value, path);
  if (typeof value === "number") return boundFault(schema, value, path);
  if (Array.isArray(value)) return listFault(schema, value, path);
  return isJsonObject(value) ? objectFault(schema, value, path) : undefined;
}

/** A value that fits none of several schemas: the fault inside of the one that it is meant for, where that is clear. */
function faultOfAny(schemas: readonly Schema[], value: unknown, path: string): Fault | undefined {
  const faults: Fault[] = [];
  for (const schema of schemas) {
    const fault = faultOf(schema, value, path);
    if (fault === undefined) return undefined;
    if (schema.type !== "null") faults.push(fault);
  }
  const meant = faults.find((fault) => fault.path !== path || fault.text !== undefined);
  return meant ?? { path, value, expected: faults.map(({ expected }) => expected).join(" or ") };
}

function textFault(schema: Schema, value: string, path: string): Fault | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format, description } = schema;
  const wrong = (expected: string, text = `${path}: expected ${expected}`): Fault => ({
    path,
    value,
    expected,
    text,
  });
  if (value.length < minLength) return wrong("a text that is not empty");
  if (value.length > maxLength) return wrong(`at most ${maxLength} characters`);
  if (format === "uri" && !URL.canParse(value)) return wrong("an absolute URL");
  if (pattern === undefined || new RegExp(pattern, "u").test(value)) return undefined;
  const expected = `text like ${pattern}`;
  // Descriptions are sentences of their own, so they are quoted whole.
  return description === undefined
    ? wrong(expected)
    : wrong(expected, `${path}: the text does not fit its description, "${description}"`);
}

function boundFault(schema: Schema, value: number, path: string): Fault | undefined {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  if (value >= minimum && value <= maximum) return undefined;
  const kind = schema.type === "integer" ? "integer" : "number";
  const bound = value > maximum ? `<= ${maximum}` : `>= ${minimum}`;
  const side = value > maximum ? "above maximum" : "below minimum";
  const text = `Invalid '${path}': ${kind} ${side} value. Expected a value ${bound}, but got ${value} instead.`;
  return { path, value, expected: nameOf(schema), text };
}

function listFault(schema: Schema, value: readonly unknown[], path: string): Fault | undefined {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length < minItems || value.length > maxItems) {
    const bound = value.length < minItems ? `at least ${minItems}` : `at most ${maxItems}`;
    return { path, value, expected: nameOf(schema), text: `${path}: expected ${bound} items` };
  }
  if (items === undefined) return undefined;
  for (const [index, item] of value.entries()) {
    const fault = faultOf(items, item, `${path}.${index}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function objectFault(schema: Schema, value: JsonObject, path: string): Fault | undefined {
  const { required = [], additionalProperties: others } = schema;
  const inside = (name: string): string => (path === "" ? "" : `${path}.`) + shortened(name);
  const properties = propertiesOf(schema);
  for (const name of required) {
    const member = value[name];
    const isEmpty = member === "" && properties[name]?.minLength !== undefined;
    if (member === undefined || member === null || isEmpty) return missing(inside(name));
  }
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : others;
    if (known === false) return unknownField(inside(name), member, name, properties);
    const fault =
      known === undefined || member === undefined ? undefined : faultOf(known, member, inside(name));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function unknownField(path: string, value: unknown, name: string, known: object): Fault {
  const nearest = nearestName(name, Object.keys(known));
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return { path, value, expected: "", text: `Unknown parameter: '${path}'.${hint}` };
}

function missing(path: string): Fault {
  return { path, value: undefined, expected: "", text: missingText(path) };
}

/** OpenAI's `invalid_value`. */
function notAmong(words: readonly string[], value: string, path: string): Fault {
  const shown = value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
  const supported = words.map((each) => `'${each}'`).join(", ");
  const text = `Invalid value: '${shown}'. Supported values are: ${supported}.`;
  return { path, value, expected: "", text, code: "invalid_value" };
}

/** Shows what a wrong value is, never its content. */
function refused({ path, value, expected, text, code }: Fault): GatewayError {
  const message = text ?? `${path || "The request body"}: expected ${expected}, got ${kindOf(value)}`;
  if (code === undefined) return invalidRequest(message, path || "request_body");
  return new GatewayError(400, "invalid_request_error", message, { param: path, providerCode: code });
}

function isOf(type: NonNullable<Schema["type"]>, value: unknown): boolean {
  switch (type) {
    case "object":
      return isJsonObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

const names: Readonly<Record<NonNullable<Schema["type"]>, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  null: "null",
};

function nameOf({ type, minimum }: Schema): string {
  return type === "integer" && minimum === 1 ? "a positive integer" : names[type!];
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "boolean" ? "a boolean" : `a ${typeof value}`;
}

function propertiesOf({ properties = {} }: Schema): Readonly<Record<string, Schema>> {
  return properties;
}

/** A parameter's text as the type that its schema names; as it is where it cannot be that. */
function fromText({ type }: Schema, value: string): unknown {
  if (type === "integer") return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (type === "number") return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
  if (type === "boolean") return value === "true" || (value === "false" ? false : value);
  return value;
}
