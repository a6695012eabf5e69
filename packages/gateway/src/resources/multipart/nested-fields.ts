import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Official clients write an object in a form as `name[member]` (OpenAI and Stripe conventions). */
const bracketed = /^([^[\]]+)\[([^[\]]+)\]$/;

/** A form's fields as an object; `name[member]` becomes a member of the object `name`. */
export function nestedFields(fields: readonly (readonly [name: string, value: string])[]): JsonObject {
  const nested: JsonObject = {};
  for (const [name, value] of fields) {
    const [, outer, inner] = bracketed.exec(name) ?? [];
    if (outer === undefined || inner === undefined) nested[name] = value;
    else nested[outer] = { ...(isJsonObject(nested[outer]) ? nested[outer] : {}), [inner]: value };
  }
  return nested;
}

/** The inverse: what a form has to hold to say the same. */
export function flatFields(nested: JsonObject): [name: string, value: string][] {
  return Object.entries(nested).flatMap(([name, value]): [string, string][] =>
    isJsonObject(value)
      ? Object.entries(value).map(([inner, each]) => [`${name}[${inner}]`, String(each)])
      : [[name, String(value)]],
  );
}
