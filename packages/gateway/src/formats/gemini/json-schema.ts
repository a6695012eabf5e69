import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Members of Google's schemas that hold schemas: one, a list, or a map of them. */
const ONE: ReadonlySet<string> = new Set(["items"]);
const LISTS: ReadonlySet<string> = new Set(["anyOf"]);
const MAPS: ReadonlySet<string> = new Set(["properties"]);
/** Members without a counterpart in JSON Schema. */
const GOOGLES: ReadonlySet<string> = new Set(["nullable", "propertyOrdering", "example"]);

/** Google's `Schema` as a JSON Schema: types in small letters, `nullable` as a type beside the others. */
export function toJsonSchema(schema: JsonObject): JsonObject {
  const converted: JsonObject = {};
  for (const [name, value] of Object.entries(schema)) {
    if (GOOGLES.has(name)) continue;
    if (name === "type") addType(converted, value, schema.nullable === true);
    else if (ONE.has(name)) converted[name] = convert(value);
    else if (LISTS.has(name)) converted[name] = Array.isArray(value) ? value.map(convert) : value;
    else if (MAPS.has(name)) converted[name] = isJsonObject(value) ? convertMap(value) : value;
    else converted[name] = value;
  }
  if (schema.nullable === true && converted.type === undefined && Array.isArray(converted.anyOf))
    converted.anyOf = [...converted.anyOf, { type: "null" }];
  if (schema.nullable === true && Array.isArray(converted.enum)) converted.enum = [...converted.enum, null];
  return converted;
}

function addType(converted: JsonObject, type: unknown, isNullable: boolean): void {
  if (typeof type !== "string" || type === "TYPE_UNSPECIFIED") return;
  const word = type.toLowerCase();
  converted.type = isNullable && word !== "null" ? [word, "null"] : word;
}

function convert(value: unknown): unknown {
  return isJsonObject(value) ? toJsonSchema(value) : value;
}

function convertMap(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, convert(value)]));
}
