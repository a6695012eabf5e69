import { isJsonObject, type JsonObject, objectOf } from "../../../contract/json.ts";

/** Official clients write an object in a form as `name[member]` (OpenAI and Stripe conventions). */
const bracketed = /^([^[\]]+)\[([^[\]]+)\]$/;

/** A form's fields as an object; `name[member]` becomes a member of the object `name`. */
export function nestedFields(fields: readonly (readonly [name: string, value: string])[]): JsonObject {
  // A map, since callers choose the names: `__proto__` is a field like any other.
  const nested = new Map<string, unknown>();
  for (const [name, value] of fields) {
    const [, outer, inner] = bracketed.exec(name) ?? [];
    if (outer === undefined || inner === undefined) {
      nested.set(name, value);
      continue;
    }
    const before = nested.get(outer);
    nested.set(outer, { ...objectOf(before), [inner]: value });
  }
  return Object.fromEntries(nested);
}

/** The inverse: what a form has to hold to say the same. */
export function flatFields(nested: JsonObject): [name: string, value: string][] {
  return Object.entries(withoutNulls(nested)).flatMap(([name, value]): [string, string][] =>
    isJsonObject(value)
      ? Object.entries(withoutNulls(value)).map(([inner, each]) => [`${name}[${inner}]`, String(each)])
      : [[name, String(value)]],
  );
}

/** What hooks set to null is not there. */
function withoutNulls(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
