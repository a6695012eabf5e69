import type { Route } from "./exchange.ts";
import { type Schema, text, whole, word } from "./schema.ts";

/** What a group of endpoints is for, and its operations: the one place where callers' documentation is written. */
export interface GroupDescription {
  readonly tag: string;
  readonly about: string;
  /** Labelled beta: the wire format may still change. */
  readonly beta?: boolean;
  readonly operations: readonly Operation[];
}

/** One operation, whatever the number of paths at which it answers. */
export interface Operation {
  readonly method: Route["method"];
  /** Its main path in OpenAPI's form, parameters by the names that callers know. */
  readonly path: string;
  /** The route's path where it ends in a wildcard, because an id may contain slashes. */
  readonly routePath?: string;
  /** Name for generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly about?: string;
  readonly parameters?: readonly Parameter[];
  readonly request?: Body;
  readonly answer: Answer;
  /** What the group answers beyond the errors that every operation has, by status. */
  readonly errors?: Readonly<Record<number, Refusal>>;
}

/** A parameter beside those in the path. */
export interface Parameter {
  readonly in: "query" | "header";
  readonly name: string;
  readonly about: string;
  readonly schema: Schema;
}

export interface Body {
  /** Schemas by media type. */
  readonly content: Readonly<Record<string, Schema>>;
  readonly isOptional?: boolean;
}

export interface Answer {
  readonly about: string;
  readonly content: Readonly<Record<string, Schema>>;
  /** The server-sent events that a caller who asks for a stream gets instead. */
  readonly stream?: string;
  /** Carries the headers about the model that answered. */
  readonly isModelCall?: boolean;
  readonly headers?: Readonly<Record<string, Schema>>;
}

/** An error that the specification names, with the shape of its `detail`. */
export interface Refusal {
  readonly when: string;
  readonly detail?: Schema;
  /** The whole body, where it is not the usual error. */
  readonly body?: Schema;
}

/** A JSON body. */
export function json(schema: Schema): Body {
  return { content: { "application/json": schema } };
}

/** An answer of JSON. */
export function answers(about: string, schema: Schema): Answer {
  return { about, content: { "application/json": schema } };
}

export function query(name: string, about: string, schema: Schema = text()): Parameter {
  return { in: "query", name, about, schema };
}

/** The two places outside the body where a caller may name the provider. */
export const providerSelectors: readonly Parameter[] = [
  {
    in: "header",
    name: "custom-llm-provider",
    about: "The provider to use, such as `azure`.",
    schema: text(),
  },
  query("custom_llm_provider", "The provider to use, where the header does not name it."),
];

/** How lists are paged. */
export const paging: readonly Parameter[] = [
  query("after", "The id after which the page begins."),
  query("limit", "Objects on a page.", whole()),
  query("order", "By time of creation.", word(["asc", "desc"])),
];

/** Who gets `detail` as a text, and who as an object. */
export const detailText: Schema = text("What went wrong.");
export const detailObject: Schema = {
  type: "object",
  properties: { error: text("What went wrong.") },
  required: ["error"],
};
