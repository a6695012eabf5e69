import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";

/** Where a caller may name a provider, in the spec's words: path segment, header, query or body, or the object's id. */
type SelectorPlace = "path" | "header" | "query" | "body" | "id";

/** What was found in the places that are not part of the exchange. */
export interface SelectorSources {
  readonly body?: JsonObject;
  /** The provider that an object's id leads to. */
  readonly id?: string | undefined;
}

const MAX_NAME = 64;

/**
 * The provider that the first of these places names; `undefined` when none does. Operations differ in their order,
 * so each passes its own.
 * @throws GatewayError 400 for a value that is not a name
 */
export function chooseProvider(
  exchange: Pick<Exchange, "params" | "headers" | "query">,
  order: readonly SelectorPlace[],
  sources: SelectorSources = {},
): string | undefined {
  for (const place of order) {
    const name = readSelector(exchange, place, sources);
    if (isAbsent(name)) continue;
    if (typeof name !== "string" || name.length > MAX_NAME)
      throw invalidRequest("custom_llm_provider must be a provider's name", "custom_llm_provider");
    return name;
  }
  return undefined;
}

/** Whether a value says nothing; everywhere a selector may stand, an empty text and null do. */
export function isAbsent(value: unknown): value is undefined | null | "" {
  return value === undefined || value === null || value === "";
}

function readSelector(
  exchange: Pick<Exchange, "params" | "headers" | "query">,
  place: SelectorPlace,
  sources: SelectorSources,
): unknown {
  switch (place) {
    case "path":
      return exchange.params.provider;
    case "header":
      return exchange.headers["custom-llm-provider"];
    case "query":
      return exchange.query.get("custom_llm_provider");
    case "body":
      return sources.body?.custom_llm_provider;
    case "id":
      return sources.id;
  }
}

/**
 * The provider of that name, which must have the group of resources natively.
 * @throws GatewayError 400 for an unknown provider or one without the group
 */
export function providerFor(
  name: string,
  resource: string,
  findProvider: (name: string) => Provider | undefined,
): Provider {
  const provider = findProvider(name);
  if (provider === undefined) throw invalidRequest(`Unknown provider '${name}'`, "custom_llm_provider");
  if (!provider.resources.has(resource))
    throw invalidRequest(`The provider '${name}' has no ${resource}`, "custom_llm_provider");
  return provider;
}

/**
 * Where each operation looks for the name of a provider, the first place that says something wins (spec: Batches,
 * Containers and Videos, provider selection; for files and what is done with one response this gateway's own). The id of
 * an object and the default provider come after these.
 */
export const selectorOrder = {
  "POST batches": ["path", "body"],
  "GET batches/{id}": ["path", "header", "query"],
  "GET batches": ["path", "header", "query"],
  "POST batches/{id}/cancel": ["path", "body"],
  "POST containers": ["header", "query", "body"],
  "GET containers": ["header", "query"],
  "containers/{id}": ["header", "query"],
  "GET videos": ["header", "query", "body"],
  "videos/{id}": ["header", "query", "body"],
  "POST files": ["path", "body", "header", "query"],
  "GET files": ["path", "header", "query"],
  "files/{id}": ["path", "header", "query"],
  "responses/{id}": ["header", "query"],
} as const satisfies Readonly<Record<string, readonly SelectorPlace[]>>;
