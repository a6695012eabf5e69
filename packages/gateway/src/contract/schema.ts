import type { JsonObject } from "./json.ts";

/** A JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it). */
export type Schema = JsonObject;

/** The members of an object by name; a name that ends in `!` must be there. */
type Members = Readonly<Record<string, Schema>>;

export function text(about?: string): Schema {
  return { type: "string", ...described(about) };
}

/** One of these words. */
export function word(words: readonly string[], about?: string): Schema {
  return { type: "string", enum: words, ...described(about) };
}

export function whole(about?: string): Schema {
  return { type: "integer", ...described(about) };
}

export function amount(about?: string): Schema {
  return { type: "number", ...described(about) };
}

export function flag(about?: string): Schema {
  return { type: "boolean", ...described(about) };
}

export function list(items: Schema, about?: string): Schema {
  return { type: "array", items, ...described(about) };
}

/** An object that may have further members, as every object on the wire may. */
export function object(members: Members = {}, about?: string): Schema {
  const names = Object.keys(members);
  const required = names.filter((name) => name.endsWith("!")).map(bareName);
  return {
    type: "object",
    ...(names.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(members).map(([name, schema]) => [bareName(name), schema]),
          ),
        }),
    ...(required.length === 0 ? {} : { required }),
    ...described(about),
  };
}

export function either(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: "null" }] };
}

/** A page of objects in OpenAI's form. */
export function page(items: Schema): Schema {
  return object({
    "object!": word(["list"]),
    "data!": list(items),
    first_id: orNull(text()),
    last_id: orNull(text()),
    has_more: flag("Whether there are more after `last_id`."),
  });
}

/** What deleting an object answers. */
export function deletion(kind: string): Schema {
  return object({ "id!": text(), object: text(`\`${kind}\``), "deleted!": flag() });
}

/** The raw bytes of a file. */
export const bytes: Schema = { type: "string", format: "binary" };

function bareName(name: string): string {
  return name.endsWith("!") ? name.slice(0, -1) : name;
}

function described(about: string | undefined): Schema {
  return about === undefined ? {} : { description: about };
}
