import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, ownMember } from "../../contract/json.ts";
import type { Schema } from "../../contract/schema.ts";
import { GEMINI_SCHEMA, geminiSchema } from "./fields.ts";

const SNAKE_HUMP = /_([a-z0-9])/g;
/** Characters of the longest name that is looked at: Google's have half as many, and a body may be one long name. */
const MAX_NAME = 100;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * A request in the one spelling that the gateway reads. Google's JSON mapping takes every field in camel case and in
 * snake case, a number as a text, and one element in place of a list (protobuf.dev, "ProtoJSON format"). Fields that the
 * table does not have stay as they are, and so does everything that is the caller's own, such as arguments.
 * @param schema the table's
 * @returns the very same object where nothing was spelled otherwise
 * @throws GatewayError 400 for a field that is there in both spellings
 */
export function inCamelCase(body: JsonObject, schema: Schema): JsonObject {
  return respell(body, schema, "") as JsonObject;
}

function respell(value: unknown, given: Schema, path: string): unknown {
  const schema = given.$ref === GEMINI_SCHEMA ? geminiSchema : given;
  switch (schema.type) {
    case "array":
      return respellList(value, schema.items ?? {}, path);
    case "integer":
    case "number":
      return typeof value === "string" && NUMBER.test(value) ? finite(value) : value;
    case "object":
      return isJsonObject(value) ? respellObject(value, schema, path) : value;
    default:
      return value;
  }
}

/** The number of a text, as far as it is one of a double's. */
function finite(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function respellList(value: unknown, items: Schema, path: string): unknown {
  if (isJsonObject(value)) return [respell(value, items, `${path}.0`)];
  if (!Array.isArray(value)) return value;
  const respelled = value.map((item, index) => respell(item, items, `${path}.${index}`));
  return respelled.some((item, index) => item !== value[index]) ? respelled : value;
}

function respellObject(object: JsonObject, schema: Schema, path: string): JsonObject {
  const { properties, additionalProperties } = schema;
  if (properties === undefined)
    return additionalProperties ? respellMap(object, additionalProperties, path) : object;
  const respelled: JsonObject = {};
  let isSame = true;
  for (const name in object) {
    const known: string = Object.hasOwn(properties, name) ? name : camelCase(name);
    const at = path === "" ? known : `${path}.${known}`;
    const member: Schema | undefined = ownMember(properties, known);
    const key = member === undefined ? name : known;
    // Nothing, to protobuf.
    if (object[name] === null && member?.type !== undefined) {
      isSame = false;
      continue;
    }
    if (Object.hasOwn(respelled, key))
      throw invalidRequest(`${at}: it is there twice, as ${key} and in snake case`, at);
    respelled[key] = member === undefined ? object[name] : respell(object[name], member, at);
    if (key !== name || respelled[key] !== object[name]) isSame = false;
  }
  return isSame ? object : respelled;
}

function respellMap(object: JsonObject, schema: Schema, path: string): JsonObject {
  const entries = Object.entries(object);
  const respelled = entries.map(
    ([name, value]) => [name, respell(value, schema, `${path}.${name}`)] as const,
  );
  const isSame = respelled.every(([, value], index) => value === entries[index]![1]);
  return isSame ? object : Object.fromEntries(respelled);
}

function camelCase(name: string): string {
  return name.length > MAX_NAME
    ? name
    : name.replace(SNAKE_HUMP, (_, letter: string) => letter.toUpperCase());
}
