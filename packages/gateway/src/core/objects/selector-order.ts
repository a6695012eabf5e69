import type { SelectorPlace } from "./choose-provider.ts";

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
