import type { Schema } from "../../src/contract/schema.ts";

/** A value that does not fit its schema. */
export interface Misfit {
  /** Where in the body it stands, as errors name it. */
  readonly path: string;
  readonly value: unknown;
}

/** A value that fits a schema, with every member. */
export function fitting(schema: Schema): unknown {
  const { anyOf, type, enum: words, properties = {}, minimum = 1, minItems = 1, examples } = schema;
  if (examples !== undefined) return examples[0];
  if (anyOf !== undefined) return fitting(anyOf[0]!);
  switch (type) {
    case "string":
      return words?.[0] ?? fittingText(schema);
    case "integer":
    case "number":
      return minimum;
    case "boolean":
      return true;
    case "array":
      return Array.from({ length: Math.max(1, minItems) }, () => fitting(schema.items ?? {}));
    case "object":
      return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, fitting(member)]));
    default:
      return "anything";
  }
}

function fittingText({ pattern, format }: Schema): string {
  if (format === "uri") return "https://example.com/x";
  return pattern === undefined || new RegExp(pattern, "u").test("x") ? "x" : "30d";
}

/** Values of every other type and just outside of every bound, for a schema and each of its members. */
export function misfits(schema: Schema, path = ""): Misfit[] {
  const candidates = [5, 1.5, "no such word", true, ["x"], { x: 1 }, null, ...outside(schema)];
  const own = candidates
    .filter((value) => !fits(schema, value) && !isOfKind(schema, value))
    .map((value) => ({ path, value }));
  return [...own, ...inside(schema, path)];
}

/** A list or an object where one may be is looked into; see `inside`. */
function isOfKind({ anyOf, type, minItems = 0, maxItems = Infinity }: Schema, value: unknown): boolean {
  if (anyOf !== undefined) return anyOf.some((one) => isOfKind(one, value));
  if (Array.isArray(value)) return type === "array" && value.length >= minItems && value.length <= maxItems;
  return type === "object" && typeof value === "object" && value !== null;
}

function outside({ anyOf, minimum, maximum, minLength, maxLength, minItems, maxItems, items }: Schema) {
  const values: unknown[] = (anyOf ?? []).flatMap(outside);
  if (minimum !== undefined) values.push(minimum - 1);
  if (maximum !== undefined) values.push(maximum + 1);
  if (minLength !== undefined) values.push("");
  if (maxLength !== undefined) values.push("x".repeat(maxLength + 1));
  if (minItems !== undefined) values.push([]);
  if (maxItems !== undefined) values.push(Array.from({ length: maxItems + 1 }, () => fitting(items ?? {})));
  return values;
}

/** What is wrong within a value that is right itself. */
function inside(schema: Schema, path: string): Misfit[] {
  const { anyOf, items, properties = {} } = schema;
  // A list or an object among several is meant by whoever sends one.
  if (anyOf !== undefined) return anyOf.flatMap((one) => inside(one, path));
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  if (items !== undefined)
    return misfits(items, at("0")).map(({ path: where, value }) => ({ path: where, value: [value] }));
  const whole = fitting(schema) as Record<string, unknown>;
  const { additionalProperties: others, required = [] } = schema;
  const chosen = others
    ? misfits(others, at("x")).map(({ path: where, value }) => ({ path: where, value: { x: value } }))
    : [];
  const lacking = required.map((name) => {
    const { [name]: _, ...value } = whole;
    return { path: at(name), value };
  });
  const wrong = Object.entries(properties).flatMap(([name, member]) =>
    misfits(member, at(name)).map(({ path: where, value }) => ({
      path: where,
      value: { ...whole, [name]: value },
    })),
  );
  return [...chosen, ...(path === "" ? [] : lacking), ...wrong];
}

/** A second opinion on what a schema says, by the words of JSON Schema that are used. */
export function fits(schema: Schema, value: unknown): boolean {
  const { anyOf, type, enum: words, pattern, format, items, properties = {}, required = [] } = schema;
  if (anyOf !== undefined) return anyOf.some((one) => fits(one, value));
  const { minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
  const { minItems = 0, maxItems = Infinity, additionalProperties: others } = schema;
  if (typeof value === "string")
    return (
      (type === undefined || type === "string") &&
      (words === undefined || words.includes(value)) &&
      value.length >= minLength &&
      value.length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, "u").test(value)) &&
      (format !== "uri" || URL.canParse(value))
    );
  if (typeof value === "number") {
    const isNumber = type === undefined || type === "number" || (type === "integer" && value % 1 === 0);
    return isNumber && value >= minimum && value <= maximum;
  }
  if (typeof value === "boolean") return type === undefined || type === "boolean";
  if (value === null) return type === undefined || type === "null";
  if (Array.isArray(value))
    return (
      (type === undefined || type === "array") &&
      value.length >= minItems &&
      value.length <= maxItems &&
      value.every((item) => fits(items ?? {}, item))
    );
  if (type !== undefined && type !== "object") return false;
  const members = value as Record<string, unknown>;
  return (
    required.every((name) => members[name] !== undefined && members[name] !== null) &&
    Object.entries(members).every(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : others;
      return known === undefined || (known !== false && fits(known, member));
    })
  );
}
