import type { Route } from "./exchange.ts";
import { type Schema, text } from "./schema.ts";

/** What a group of endpoints is for, and its operations: the one place where callers' documentation is written. */
export interface GroupDescription {
  readonly tag: string;
  readonly about: string;
  /** Labelled beta: the wire format may still change. */
  readonly beta?: boolean;
  /** There only where a setting asks for it. */
  readonly isOptional?: true;
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
  /** The parameters of the query: an object of texts, numbers and flags. */
  readonly query?: Schema;
  /** Where it looks for the name of a provider; `header` and `query` become parameters. */
  readonly selectors?: readonly string[];
  readonly request?: Body;
  readonly answer: Answer;
  /** What the group answers beyond the errors that every operation has, by status. */
  readonly errors?: Readonly<Record<number, Refusal>>;
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
  /** In place of 200; answers of 204 and 303 have no content. */
  readonly status?: 201 | 204 | 303;
  /** A redirect (303) may come instead. */
  readonly redirects?: true;
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

/**
 * A change by a POST with JSON, answered when it is done.
 * @param errors absent where it makes something new
 */
export function posted(
  named: Pick<Operation, "path" | "id" | "summary">,
  request: Schema,
  answer: Schema,
  errors?: Operation["errors"],
): Operation {
  return {
    method: "POST",
    ...named,
    request: json(request),
    answer: answers("Done.", answer),
    ...(errors === undefined ? {} : { errors }),
  };
}

/** Who gets `detail` as a text, and who as an object. */
export const detailText: Schema = text("What went wrong.");
export const detailObject: Schema = {
  type: "object",
  properties: { error: text("What went wrong.") },
  required: ["error"],
};
