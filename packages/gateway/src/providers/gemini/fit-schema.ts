import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { referredIn } from "../../formats/tools/schema-reference.ts";

/**
 * Google's schemas have one kind of alternatives (`anyOf`), no references, no parts to be met together, and lists only of
 * something (Gemini API reference, "Schema"). A schema is brought into that form so that it accepts what it did before;
 * where that cannot be said, it accepts more, never less.
 */
const STRING_FORMATS: ReadonlySet<unknown> = new Set(["enum", "date-time"]);
/** Members that hold the schema of a list's items. */
const OF_ITEMS = ["items", "prefixItems", "additionalItems", "unevaluatedItems"] as const;
/** Schemas that one may become when its references are put in their place; the rest of a larger one accepts anything. */
const MAX_SCHEMAS = 2000;
const MAX_DEPTH = 48;

/** The call with its functions' schemas and its answer's in Google's form. */
export function fitSchemas(options: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
  const { tools, responseFormat } = options;
  return {
    ...options,
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map((tool) =>
            tool.type === "function"
              ? { ...tool, inputSchema: objectOnTop(fitSchema(tool.inputSchema)) }
              : tool,
          ),
        }),
    ...(responseFormat?.type === "json" && responseFormat.schema !== undefined
      ? { responseFormat: { ...responseFormat, schema: fitSchema(responseFormat.schema) } }
      : {}),
  };
}

/**
 * A function's parameters are an object: alternatives at the top become one with the members of all, of which those
 * must be there that each of them wants.
 */
function objectOnTop(schema: JsonObject): JsonObject {
  if (schema.type === "object") return schema;
  const { anyOf, ...rest } = schema;
  // Arguments are members of an object, whatever else the schema says.
  if (!Array.isArray(anyOf)) return { ...described(schema), type: "object", properties: {} };
  const objects = anyOf.filter((one): one is JsonObject => isJsonObject(one) && one.type === "object");
  const wanted = objects.map(({ required }) => new Set(Array.isArray(required) ? required : []));
  const required = [...(wanted[0] ?? [])].filter((name) => wanted.every((names) => names.has(name)));
  const properties = Object.assign({}, ...objects.toReversed().map((one) => one.properties)) as JsonObject;
  return { ...described(rest), type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

/** A JSON schema in Google's form. */
export function fitSchema(schema: unknown): JsonObject {
  return isJsonObject(schema) ? new SchemaFitter(schema).fit(schema, [], 0) : {};
}

class SchemaFitter {
  readonly #root: JsonObject;
  #schemas = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** @param open references within which this one stands; one that leads back to itself accepts anything */
  fit(given: JsonObject, open: readonly string[], depth: number): JsonObject {
    this.#schemas += 1;
    if (this.#schemas > MAX_SCHEMAS || depth > MAX_DEPTH) return anything();
    const { schema, refs } = this.#resolved(given, open);
    if (schema === undefined) return { ...anything(), ...described(given) };
    const types = Array.isArray(schema.type) ? schema.type.filter((type) => type !== "null") : [];
    if (types.length > 1) return this.#anyOfTypes(schema, refs, depth);
    const { properties, required, oneOf, anyOf, enum: words, format, const: only, ...rest } = schema;
    const fitted: JsonObject = { ...rest };
    for (const name of [...OF_ITEMS, "$defs", "definitions", "not", "if", "then", "else"])
      delete fitted[name];
    const deeper = (one: unknown): JsonObject =>
      isJsonObject(one) ? this.fit(one, refs, depth + 1) : anything();
    if (isJsonObject(properties)) {
      const members = Object.entries(properties).filter(([, one]) => one !== false);
      fitted.properties = Object.fromEntries(members.map(([name, one]) => [name, deeper(one)]));
      fitted.type ??= "object";
    }
    addRequired(fitted, required);
    addWords(fitted, only === undefined ? words : [only]);
    const choices = [anyOf, oneOf].find((list) => Array.isArray(list) && list.length > 0);
    if (choices !== undefined)
      fitted.anyOf = (choices as unknown[]).filter((one) => one !== false).map(deeper);
    if (hasType(fitted, "array")) fitted.items = itemsOf(schema, deeper);
    if (!hasType(fitted, "string") || STRING_FORMATS.has(format)) addFormat(fitted, format);
    return fitted;
  }

  /** One alternative for each type, with what is said of values of that type. */
  #anyOfTypes(schema: JsonObject, refs: readonly string[], depth: number): JsonObject {
    const { description, type, anyOf: _, oneOf: __, ...rest } = schema;
    const anyOf = (type as unknown[]).map((one) => {
      const { properties, required, ...plain } = rest;
      const members = one === "object" ? { properties, required } : {};
      return one === "null" ? { type: one } : this.fit({ ...plain, ...members, type: one }, refs, depth + 1);
    });
    return { ...described({ description }), anyOf };
  }

  /** The schema with its reference in place and the parts that must be met together as one. */
  #resolved(
    given: JsonObject,
    open: readonly string[],
  ): { schema: JsonObject | undefined; refs: readonly string[] } {
    let schema = given;
    let refs = open;
    while (typeof schema.$ref === "string") {
      const { $ref: ref, ...beside } = schema;
      const found = refs.includes(ref) ? undefined : referredIn(this.#root, ref);
      if (found === undefined) return { schema: undefined, refs };
      refs = [...refs, ref];
      schema = { ...found, ...beside };
    }
    const { allOf, ...whole } = schema;
    if (!Array.isArray(allOf)) return { schema, refs };
    let merged: JsonObject = whole;
    for (const part of allOf) {
      if (!isJsonObject(part)) continue;
      this.#schemas += 1;
      if (this.#schemas > MAX_SCHEMAS) break;
      const inner = this.#resolved(part, refs);
      refs = inner.refs;
      if (inner.schema !== undefined) merged = together(merged, inner.schema);
    }
    return { schema: merged, refs };
  }
}

/** Two schemas that hold at the same time, as one: members of both, and where they differ the first one's word. */
function together(one: JsonObject, other: JsonObject): JsonObject {
  const merged: JsonObject = { ...other, ...one };
  if (isJsonObject(one.properties) && isJsonObject(other.properties)) {
    const properties = { ...other.properties, ...one.properties };
    for (const name of Object.keys(other.properties))
      if (isJsonObject(one.properties[name]) && isJsonObject(other.properties[name]))
        properties[name] = { allOf: [one.properties[name], other.properties[name]] };
    merged.properties = properties;
  }
  if (Array.isArray(one.required) && Array.isArray(other.required))
    merged.required = [...new Set([...one.required, ...other.required])];
  return merged;
}

/** Names that must be there are among the properties. */
function addRequired(fitted: JsonObject, required: unknown): void {
  const { properties } = fitted;
  if (!Array.isArray(required) || !isJsonObject(properties)) return;
  const known = required.filter((name) => typeof name === "string" && Object.hasOwn(properties, name));
  if (known.length > 0) fitted.required = known;
}

/** Google's enumerations are of texts; others are said in the description. */
function addWords(fitted: JsonObject, words: unknown): void {
  if (!Array.isArray(words)) return;
  const texts = words.filter((word) => word !== null);
  const areTexts = texts.length > 0 && texts.every((word) => typeof word === "string");
  if (areTexts && (fitted.type === undefined || hasType(fitted, "string"))) {
    fitted.type ??= texts.length < words.length ? ["string", "null"] : "string";
    fitted.enum = texts;
    return;
  }
  const said = `One of: ${words.map((word) => JSON.stringify(word)).join(", ")}`;
  fitted.description = typeof fitted.description === "string" ? `${fitted.description} ${said}` : said;
}

function addFormat(fitted: JsonObject, format: unknown): void {
  if (format !== undefined) fitted.format = format;
}

function itemsOf(schema: JsonObject, deeper: (one: unknown) => JsonObject): JsonObject {
  const { items, prefixItems } = schema;
  const places = [prefixItems, items].flatMap((one) => (Array.isArray(one) ? one : []));
  if (places.length === 0) return isJsonObject(items) ? deeper(items) : anything();
  const all = isJsonObject(items) ? [...places, items] : places;
  return all.length === 1 ? deeper(all[0]) : { anyOf: all.map(deeper) };
}

function hasType({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function described({ description }: JsonObject): JsonObject {
  return typeof description === "string" ? { description } : {};
}

/** Any value: Google has no schema without a type. */
function anything(): JsonObject {
  return {
    anyOf: [
      { type: "string" },
      { type: "number" },
      { type: "boolean" },
      { type: "object" },
      { type: "array", items: { type: "string" } },
    ],
  };
}
