import { isObject, type JsonObject, stringOf } from "../../util/json.ts";
import { fieldRequired, invalidRequest } from "../failures.ts";
import type { BatchRequest } from "./batch-record.ts";

const MAX_REQUESTS = 100_000;

/** The requests of a new batch. Their parameters are checked only when they run, as Anthropic does it. */
export function readRequests(body: JsonObject): BatchRequest[] {
  if (body.requests === undefined) throw fieldRequired("requests");
  if (!Array.isArray(body.requests)) throw invalidRequest("requests: Input should be a valid list");
  if (body.requests.length === 0)
    throw invalidRequest("requests: List should have at least 1 item after validation, not 0");
  if (body.requests.length > MAX_REQUESTS) {
    throw invalidRequest(`requests: List should have at most ${MAX_REQUESTS} items after validation`);
  }
  const ids = new Set<string>();
  return body.requests.map((request, index) => {
    const path = `requests.${index}`;
    if (!isObject(request)) throw invalidRequest(`${path}: Input should be a valid dictionary`);
    const customId = stringOf(request.custom_id);
    if (customId === undefined) throw fieldRequired(`${path}.custom_id`);
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(customId)) {
      throw invalidRequest(`${path}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
    }
    if (ids.has(customId)) throw invalidRequest(`requests: custom_id values must be unique: ${customId}`);
    ids.add(customId);
    if (!isObject(request.params)) throw fieldRequired(`${path}.params`);
    return { customId, params: request.params };
  });
}
