import {
  isObject,
  type JsonObject,
  type JsonValue,
  listOf,
  numberOf,
  objectOf,
  stringOf,
} from "../util/json.ts";

const DEEPEST = 12;

const stringFormats: Readonly<Record<string, string>> = {
  "date-time": "2024-01-01T00:00:00Z",
  date: "2024-01-01",
  time: "00:00:00Z",
  duration: "PT1S",
  email: "user@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "00000000-0000-4000-8000-000000000000",
  uri: "https://example.com/",
};

/**
 * A value that is valid for a JSON schema and always the same for it. Covers the subset that providers
 * accept for tools and structured output; `pattern` is not followed.
 * @param name stands in as the text of a free string, so that one sees which member it fills
 */
export function sampleOf(schema: JsonValue | undefined, name = "value"): JsonValue {
  return sample(schema, name, objectOf(schema), 0);
}

/** As `sampleOf`, for a schema that describes an object, as every tool's does. */
export function sampleObject(schema: JsonValue | undefined): JsonObject {
  return objectOf(sampleOf(schema));
}

function sample(schema: JsonValue | undefined, name: string, root: JsonObject, depth: number): JsonValue {
  if (!isObject(schema)) return name;
  if (depth > DEEPEST) return null;
  if (schema.const !== undefined) return schema.const;
  const choice = listOf(schema.enum)[0];
  if (choice !== undefined) return choice;
  const target = stringOf(schema.$ref);
  if (target !== undefined) return sample(resolve(target, root), name, root, depth + 1);
  if (Array.isArray(schema.allOf)) return sample(combined(schema, root), name, root, depth + 1);
  const variants = listOf(schema.anyOf ?? schema.oneOf);
  if (variants.length > 0) return sample(shallowest(variants, depth), name, root, depth + 1);
  switch (typeOf(schema)) {
    case "object":
      return sampleMembers(schema, root, depth);
    case "array":
      return sampleItems(schema, name, root, depth);
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return sampleString(schema, name);
  }
}

// Gemini writes types in capitals; a list of types means any of them.
function typeOf(schema: JsonObject): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const named = types.find((type) => typeof type === "string" && type.toLowerCase() !== "null") ?? types[0];
  if (typeof named === "string") return named.toLowerCase();
  if (schema.properties !== undefined) return "object";
  return schema.items === undefined ? "string" : "array";
}

// A recursive schema ends only if a variant that does not nest is taken at some depth.
function shallowest(variants: JsonValue[], depth: number): JsonValue | undefined {
  if (depth < DEEPEST / 2) return variants[0];
  return (
    variants.find((variant) => ["null", "string", "integer"].includes(typeOf(objectOf(variant)))) ??
    variants[0]
  );
}

function combined(schema: JsonObject, root: JsonObject): JsonObject {
  const merged: JsonObject = { ...schema };
  delete merged.allOf;
  for (const part of listOf(schema.allOf)) {
    const target = stringOf(objectOf(part).$ref);
    const source = objectOf(target === undefined ? part : resolve(target, root));
    const properties = { ...objectOf(merged.properties), ...objectOf(source.properties) };
    Object.assign(merged, source, Object.keys(properties).length > 0 ? { properties } : {});
  }
  return merged;
}

function resolve(reference: string, root: JsonObject): JsonValue | undefined {
  let found: JsonValue | undefined = root;
  for (const step of reference.replace(/^#\/?/, "").split("/")) {
    if (step !== "") found = objectOf(found)[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return found;
}

function sampleMembers(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const required = listOf(schema.required);
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(objectOf(schema.properties))) {
    if (depth > DEEPEST / 2 && !required.includes(key)) continue;
    members.push([key, sample(member, key, root, depth + 1)]);
  }
  return Object.fromEntries(members);
}

function sampleItems(schema: JsonObject, name: string, root: JsonObject, depth: number): JsonValue[] {
  const least = numberOf(schema.minItems) ?? (depth > DEEPEST / 2 ? 0 : 1);
  const count = Math.min(least, 100);
  return Array.from({ length: count }, () => sample(schema.items, name, root, depth + 1));
}

function sampleNumber(schema: JsonObject): number {
  const above = numberOf(schema.exclusiveMinimum);
  const least = numberOf(schema.minimum) ?? (above === undefined ? undefined : above + 1);
  const most = numberOf(schema.maximum);
  const value = least ?? (most !== undefined && most < 1 ? most : 1);
  const step = numberOf(schema.multipleOf);
  return step === undefined || step <= 0 ? value : Math.ceil(value / step) * step;
}

function sampleString(schema: JsonObject, name: string): string {
  const format = stringOf(schema.format);
  const known = format === undefined ? undefined : stringFormats[format];
  if (known !== undefined) return known;
  const padded = name.padEnd(Math.min(numberOf(schema.minLength) ?? 0, 10_000), "x");
  return padded.slice(0, numberOf(schema.maxLength) ?? padded.length);
}
