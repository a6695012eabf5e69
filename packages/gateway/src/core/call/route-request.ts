import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { type JsonObject, objectOf } from "../../contract/json.ts";
import type { RouteRequest } from "../routing/route-call.ts";
import { tagsOf } from "../routing/tags.ts";
import type { PreparedCall } from "./prepare-call.ts";

/** What routing needs to know of a call. */
export function routeRequest(prepared: PreparedCall): RouteRequest {
  const { call, config, model, data, steering, signal } = prepared;
  return {
    config,
    model,
    principal: call.principal,
    region: call.principal.allowedModelRegion ?? steering.region,
    tags: tagsOfCall(prepared),
    preferredDeployment: call.adapter?.prefers,
    retries: steering.numRetries,
    fallbacks: steering.fallbacks,
    mockedFailure: mockedFailure(data),
    isMocked: prepared.mockedText !== undefined,
    signal,
    record: call.record,
  };
}

/**
 * The tags by which a call's deployments are chosen: those of its key (`metadata.tags`), so that nobody can tag
 * themselves into another tier, else those of the request (`metadata.tags`, `tags`, or
 * `x-litellm-tags` with commas).
 */
function tagsOfCall({ call, data, config }: PreparedCall): readonly string[] {
  if (!config.routerSettings.enableTagFiltering) return [];
  const ofKey = tagsOf(call.principal.metadata.tags);
  if (ofKey.length > 0) return ofKey;
  const header = call.headers["x-portico-tags"] ?? call.headers["x-litellm-tags"];
  const named = typeof header === "string" ? header.split(",").map((tag) => tag.trim()) : [];
  return [
    ...tagsOf(objectOf(data.metadata).tags),
    ...tagsOf(data.tags),
    ...named.filter((tag) => tag !== ""),
  ];
}

/** LiteLLM's fields by which a caller tries out its fallbacks: a failure that stands in for the requested model's. */
function mockedFailure(data: JsonObject): GatewayError | undefined {
  const text = (what: string): string =>
    `This is a mock failure: the model ${what}, as the request asked for.`;
  const refused = (what: string, providerCode: string): GatewayError =>
    new GatewayError(400, "invalid_request_error", text(what), { providerCode });
  if (data.mock_testing_fallbacks === true) return new GatewayError(500, "api_error", text("fails"));
  if (data.mock_testing_context_fallbacks === true)
    return refused("finds the request too long", "context_length_exceeded");
  if (data.mock_testing_content_policy_fallbacks === true)
    return refused("refuses the content", "content_policy_violation");
  return undefined;
}

/**
 * The text that the caller wants for an answer, so that nobody is called.
 * @throws GatewayError 400 for one that is no text, or for embeddings
 */
export function mockedAnswer({ mock_response: text }: JsonObject, isEmbedding: boolean): string | undefined {
  if (text === undefined || text === null) return undefined;
  if (typeof text !== "string") throw invalidRequest("mock_response must be a text", "mock_response");
  if (isEmbedding) throw invalidRequest("mock_response is for answers, not for embeddings", "mock_response");
  return text;
}
