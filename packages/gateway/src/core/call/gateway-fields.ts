import type { JsonObject } from "../../contract/json.ts";

/**
 * Fields of request bodies that are for the gateway, as LiteLLM's clients send them; providers refuse them. What has no
 * meaning here does no harm either: there is no cache, and sessions are not tracked. Those that somebody relies on are
 * refused (see `refused-fields.ts`).
 */
const gatewayFields: ReadonlySet<string> = new Set([
  "timeout",
  "stream_timeout",
  "num_retries",
  "fallbacks",
  "disable_fallbacks",
  "tags",
  "drop_params",
  "additional_drop_params",
  "allowed_openai_params",
  "allowed_model_region",
  "mock_response",
  "mock_testing_fallbacks",
  "mock_testing_context_fallbacks",
  "mock_testing_content_policy_fallbacks",
  "custom_llm_provider",
  "guardrails",
  "max_retries",
  "model_info",
  "priority",
  "ttl",
  "cache",
  "caching",
  "no-log",
]);

const PREFIX = "litellm_";

/** The names of the gateway's own fields in a request body. */
export function gatewayFieldsOf(data: JsonObject): string[] {
  const found: string[] = [];
  for (const name in data) if (gatewayFields.has(name) || name.startsWith(PREFIX)) found.push(name);
  return found;
}
