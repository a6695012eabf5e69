import type { Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Answer, GroupDescription, Operation, Refusal } from "../../contract/operation.ts";
import { object, type Schema, text } from "../../contract/schema.ts";
import type { Feature } from "../../core/feature.ts";
import { VERSION } from "../../util/version.ts";
import { callHeaders, commonHeaders, components } from "./components.ts";
import { operationKey, type PathForm, pathFormOf } from "./path-form.ts";

/**
 * The OpenAPI 3.1 description of these features' routes. A route that its feature does not describe appears without a
 * description, and a test fails.
 */
export function openapiDocument(features: readonly Feature[]): JsonObject {
  const routes = features.flatMap((feature) => feature.routes);
  const groups = features.flatMap((feature) => feature.descriptions);
  const described = new Map(
    groups.flatMap((group) =>
      group.operations.map((operation) => [operationKey(operation), { group, operation }] as const),
    ),
  );
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    const { group, operation } = described.get(operationKey(route)) ?? undescribed(route);
    const form = pathFormOf(route, operation);
    paths[form.path] = {
      ...paths[form.path],
      [route.method.toLowerCase()]: describe(route, form, group, operation),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Portico",
      version: VERSION,
      description: "A gateway in front of AI model providers. Fields that are not described pass through.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: groups.map(({ tag, about, beta }) => ({
      name: tag,
      description: beta ? `${about} (beta)` : about,
      ...(beta ? { "x-beta": true } : {}),
    })),
    paths,
    components,
  };
}

function undescribed({ method, path, callType }: Route): { group: GroupDescription; operation: Operation } {
  const names = path.replaceAll(/:(\w+)/g, "{$1}").replaceAll("*", "{rest}");
  const id = `${callType}_${method}${names.replaceAll(/\W+/g, "_")}`;
  const answer = { about: "The answer.", content: {} };
  const operation: Operation = { method, path: names, id, summary: `${method} ${names}`, answer };
  return { group: { tag: "Others", about: "", operations: [] }, operation };
}

function describe(route: Route, form: PathForm, group: GroupDescription, operation: Operation): JsonObject {
  const { summary, about, request } = operation;
  return {
    operationId: operation.id + form.variant,
    tags: [group.tag],
    summary: group.beta ? `${summary} (beta)` : summary,
    ...(about === undefined ? {} : { description: about }),
    ...(group.beta ? { "x-beta": true } : {}),
    security: route.access === "public" ? [] : [{ gatewayKey: [] }],
    parameters: [
      ...form.parameters.map((name) => ({ name, in: "path", required: true, schema: text() })),
      ...parametersOf(operation),
    ],
    ...(request === undefined
      ? {}
      : { requestBody: { required: !request.isOptional, content: contentOf(request.content) } }),
    responses: {
      [operation.answer.status ?? 200]: answerOf(operation.answer),
      ...(operation.answer.redirects ? { 303: { description: "A redirect." } } : {}),
      ...refusalsOf(route, operation.errors ?? {}),
    },
  };
}

/** Those beside the path; where a provider may be named comes first. */
function parametersOf({ selectors = [], query = {} }: Operation): JsonObject[] {
  const header = { name: "custom-llm-provider", in: "header", ...SELECTOR };
  return [
    ...(selectors.includes("header") ? [header] : []),
    ...(selectors.includes("query") ? [{ name: "custom_llm_provider", in: "query", ...SELECTOR }] : []),
    ...Object.entries(query.properties ?? {}).map(([name, { description, ...schema }]) => ({
      name,
      in: "query",
      description,
      required: query.required?.includes(name) === true,
      schema,
    })),
  ];
}

const SELECTOR = { description: "The provider to use, such as `azure`; the header wins.", schema: text() };

function answerOf({ about, content, stream, isModelCall, headers, status }: Answer): JsonObject {
  const all = { ...commonHeaders, ...(isModelCall ? callHeaders : {}), ...headers };
  const streamed: Record<string, Schema> = stream === undefined ? {} : { "text/event-stream": text(stream) };
  return {
    description: about,
    headers: Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, { schema }])),
    ...(status === 204 || status === 303 ? {} : { content: contentOf({ ...content, ...streamed }) }),
  };
}

/** The shape of errors by family. */
const ERRORS = { openai: "Error", anthropic: "MessagesError", google: "GeminiError" } as const;

/** Errors that the group names, and those that every operation may answer. */
function refusalsOf(route: Route, own: Readonly<Record<number, Refusal>>): JsonObject {
  const general: Record<string, Refusal> = {
    ...(route.access === "public"
      ? {}
      : { 401: { when: "The key is missing, unknown, blocked or expired." } }),
    ...(route.access === "admin" ? { 403: { when: "The key does not administer the gateway." } } : {}),
    default: { when: "Any other failure, the provider's own included." },
  };
  const $ref = `#/components/schemas/${ERRORS[route.family]}`;
  const schemaOf = ({ detail, body }: Refusal): Schema =>
    body ?? (detail === undefined ? { $ref } : { allOf: [{ $ref }, object({ detail })] });
  const all: Readonly<Record<string, Refusal>> = { ...own, ...general };
  return Object.fromEntries(
    Object.entries(all).map(([status, refusal]) => [
      status,
      { description: refusal.when, content: contentOf({ "application/json": schemaOf(refusal) }) },
    ]),
  );
}

function contentOf(schemas: Readonly<Record<string, Schema>>): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
}
