import type { JsonObject, JsonValue } from "../util/json.ts";

/** One member of an object that a provider answers with. */
export type Field =
  | { readonly name: string; readonly kind: "time" }
  | { readonly name: string; readonly kind: "secret"; readonly prefix: string }
  | { readonly name: string; readonly kind: "value"; readonly value: JsonValue }
  | { readonly name: string; readonly kind: "object"; readonly fields: readonly Field[] };

/** What an object is filled with beside its shape. */
export interface Filling {
  /** The time as the provider writes it. */
  readonly time: JsonValue;
  /** The object's own id and those of the objects that it lies in, by member. */
  readonly ids: Readonly<Record<string, string>>;
  /** What the caller sent. */
  readonly given: JsonObject;
  /** A new secret that begins with a prefix. */
  secret(prefix: string): string;
}

/**
 * Reads a shape in short notation: members with spaces between them. `name` is an empty text, `name=word` that text,
 * `name:JSON` a number, boolean or null, `name[]` an empty list, `name{...}` an object, `name@` the time, and
 * `name~prefix` a secret. Throws for anything else, at start-up.
 */
export function parseShape(text: string): Field[] {
  const [fields, rest] = readFields(text);
  if (rest !== "") throw new Error(`shape ends early at ${rest}`);
  return fields;
}

function readFields(text: string): [Field[], string] {
  const fields: Field[] = [];
  let rest = text.trimStart();
  while (rest !== "" && !rest.startsWith("}")) {
    const [, name = "", mark = "", word = ""] =
      /^(\w+)(@|\[\]|\{|[=:~])?((?<=[=:~])[^\s}]*)?/.exec(rest) ?? [];
    if (name === "") throw new Error(`no member at ${rest}`);
    rest = rest.slice(name.length + mark.length + word.length);
    if (mark === "{") {
      const [inner, after] = readFields(rest);
      if (!after.startsWith("}")) throw new Error(`${name} is not closed`);
      fields.push({ name, kind: "object", fields: inner });
      rest = after.slice(1);
    } else fields.push(fieldOf(name, mark, word));
    rest = rest.trimStart();
  }
  return [fields, rest];
}

function fieldOf(name: string, mark: string, word: string): Field {
  if (mark === "@") return { name, kind: "time" };
  if (mark === "~") return { name, kind: "secret", prefix: word };
  if (mark === ":") return { name, kind: "value", value: JSON.parse(word) };
  return { name, kind: "value", value: mark === "[]" ? [] : word };
}

/** A new object of a shape: what was given where it fits, samples elsewhere. */
export function newObject(fields: readonly Field[], filling: Filling): JsonObject {
  const inner = { ...filling, ids: {} };
  return Object.fromEntries(
    fields.map((field) => {
      const given = filling.given[field.name];
      return [field.name, filling.ids[field.name] ?? taken(field, given) ?? sample(field, given, inner)];
    }),
  );
}

/** Changes an object in place by what was given. */
export function changeObject(object: JsonObject, fields: readonly Field[], given: JsonObject): void {
  for (const field of fields) object[field.name] = taken(field, given[field.name]) ?? object[field.name];
}

function sample(field: Field, given: JsonValue | undefined, filling: Filling): JsonValue {
  if (field.kind === "time") return filling.time;
  if (field.kind === "secret") return filling.secret(field.prefix);
  if (field.kind === "value") return structuredClone(field.value);
  return newObject(field.fields, { ...filling, given: isPlain(given) ? given : {} });
}

/** The given value, where it is of the same kind as the sample. */
function taken(field: Field, given: JsonValue | undefined): JsonValue | undefined {
  if (given === undefined || field.name === "id" || field.name === "object") return undefined;
  if (field.kind === "object") return field.fields.length === 0 && isPlain(given) ? given : undefined;
  if (field.kind !== "value") return undefined;
  if (field.value === null) return typeof given === "object" ? undefined : given;
  if (Array.isArray(field.value)) return Array.isArray(given) ? given : undefined;
  return typeof field.value === typeof given ? given : undefined;
}

function isPlain(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
