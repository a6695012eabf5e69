import type { JsonObject } from "./json.ts";

declare const read: unique symbol;

/** The words of JSON Schema (draft 2020-12, as OpenAPI 3.1 uses it) that are used here. */
export type Keywords = {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";
  readonly description?: string;
  /** What counts where the value is missing. */
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  /** These two stand in descriptions of answers only, which nothing checks. */
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression. */
  readonly pattern?: string;
  readonly format?: "uri" | "binary";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** What members must be that `properties` does not name; `false` where there are none. */
  readonly additionalProperties?: Schema | false;
};

/**
 * A JSON Schema and the type of the values that fit it. The one way to declare fields: `check` holds values against it,
 * `/openapi.json` and `docs/gateway/api.md` show it.
 */
export type Schema<T = unknown> = Keywords & { readonly [read]?: T };

/** The members of an object by name; a name that ends in `!` must be there. */
type Members = Readonly<Record<string, Schema>>;

/** The type of the values that fit a schema. */
export type ValueOf<S> = S extends { readonly [read]?: infer T } ? T : unknown;

type Required<Name> = Name extends `${infer Bare}!` ? Bare : never;

/**
 * The values that fit an object's schema, as far as it names their members: reading another one does not compile.
 */
type ObjectOf<M> = keyof M extends never
  ? JsonObject
  : { [Name in keyof M as Required<Name>]: ValueOf<M[Name]> } & {
      [Name in keyof M as Name extends `${string}!` ? never : Name]?: ValueOf<M[Name]> | undefined;
    };

/** What a text must be beside a text. */
type TextRules = Pick<Keywords, "minLength" | "maxLength" | "pattern" | "format" | "examples">;

/** What a number must be beside a number. */
type Bounds = Pick<Keywords, "minimum" | "maximum" | "examples"> & { readonly default?: number };

export function text(about?: string, rules: TextRules = {}): Schema<string> {
  return { type: "string", ...rules, ...described(about) };
}

/** One of these words. */
export function word<const Word extends string>(words: readonly Word[], about?: string): Schema<Word> {
  return { type: "string", enum: words, ...described(about) };
}

export function whole(about?: string, bounds: Bounds = {}): Schema<number> {
  return { type: "integer", ...bounds, ...described(about) };
}

export function amount(about?: string, bounds: Bounds = {}): Schema<number> {
  return { type: "number", ...bounds, ...described(about) };
}

export function flag(about?: string): Schema<boolean> {
  return { type: "boolean", ...described(about) };
}

export function list<T>(
  items: Schema<T>,
  about?: string,
  rules: Pick<Keywords, "minItems" | "maxItems" | "examples"> = {},
): Schema<T[]> {
  return { type: "array", items, ...rules, ...described(about) };
}

/** An object that may have further members, as every object on the wire may. */
export function object<const M extends Members>(members: M = {} as M, about?: string): Schema<ObjectOf<M>> {
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

/** An object of a request: a member that may be missing may also be null, which says the same. */
export function given<const M extends Members>(members: M, about?: string): Schema<ObjectOf<OrNull<M>>> {
  const loose = Object.entries(members).map(([name, schema]): [string, Schema] => [
    name,
    name.endsWith("!") ? schema : orNull(schema),
  ]);
  return object(Object.fromEntries(loose), about) as Schema<ObjectOf<OrNull<M>>>;
}

type OrNull<M extends Members> = {
  [Name in keyof M]: Name extends `${string}!` ? M[Name] : Schema<ValueOf<M[Name]> | null>;
};

/** The same object without further members. */
export function closed<T>(schema: Schema<T>): Schema<T> {
  return { ...schema, additionalProperties: false };
}

/** An object whose members have names that the caller chooses. */
export function map<T>(values: Schema<T>, about?: string): Schema<Record<string, T>> {
  return { type: "object", additionalProperties: values, ...described(about) };
}

export function either<A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B>;
export function either(...schemas: readonly Schema[]): Schema;
export function either(...schemas: readonly Schema[]): Schema {
  return { anyOf: schemas };
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
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

function described(about: string | undefined): Keywords {
  return about === undefined ? {} : { description: about };
}
