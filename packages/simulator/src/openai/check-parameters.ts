import type { JsonObject } from "../util/json.ts";
import { invalidRequest } from "./failures.ts";
import type { Flavour } from "./flavour.ts";

const SHARED = `metadata model moderation parallel_tool_calls prompt_cache_key prompt_cache_options prompt_cache_retention
  safety_identifier service_tier store stream stream_options temperature tool_choice tools top_logprobs top_p user`;

/** Parameters by operation, from OpenAI's API reference. */
const parameters: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    "/chat/completions": `${SHARED} audio frequency_penalty function_call functions logit_bias logprobs
      max_completion_tokens max_tokens messages modalities n prediction presence_penalty reasoning_effort
      response_format seed stop verbosity web_search_options`,
    "/responses": `${SHARED} background client_metadata context_management conversation include input instructions
      max_output_tokens max_tool_calls previous_response_id prompt reasoning text truncation`,
    "/responses/compact": `input instructions model parallel_tool_calls previous_response_id prompt_cache_key
      prompt_cache_options prompt_cache_retention reasoning service_tier text tools`,
    "/embeddings": "dimensions encoding_format input model user",
  }).map(([path, names]) => [path, new Set(names.split(/\s+/))]),
);

/**
 * Refuses what OpenAI refuses whatever its value: parameters that the operation does not have, and those that exclude
 * each other. Compatible hosts have parameters of their own.
 */
export function checkParameters(path: string, body: JsonObject, flavour: Flavour): void {
  if (flavour === "compat") return;
  const known = parameters.get(path);
  const unknown = Object.keys(body).find((name) => known?.has(name) === false);
  if (unknown !== undefined)
    throw invalidRequest(`Unknown parameter: '${unknown}'.`, unknown, "unknown_parameter");
  if (path !== "/chat/completions") return;
  if (isGiven(body.metadata) && body.store !== true)
    throw invalidRequest("The 'metadata' parameter is only allowed when 'store' is enabled.", "metadata");
  if (isGiven(body.max_tokens) && isGiven(body.max_completion_tokens)) {
    const message = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
    throw invalidRequest(message, "max_tokens", "invalid_parameter_combination");
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
