import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";

const ADMINISTRATORS = "a provider's address and credentials are the administrator's";

/**
 * LiteLLM's fields of requests that would go unheeded here, each with the reason. Whoever sends one relies on it, so
 * that an answer without it would be wrong, and a provider of the same format would refuse it in words of its own.
 */
const refused: ReadonlyMap<string, string> = new Map([
  ["api_base", ADMINISTRATORS],
  ["base_url", ADMINISTRATORS],
  ["api_key", ADMINISTRATORS],
  ["api_version", ADMINISTRATORS],
  ["azure_ad_token", ADMINISTRATORS],
  ["user_config", ADMINISTRATORS],
  ["model_list", ADMINISTRATORS],
  ["extra_headers", "headers for providers are the administrator's"],
  ["guardrails", "hooks guard every call, and none can be chosen"],
  ["prompt_id", "there is no prompt store"],
  ["vector_store_ids", "vector stores are named in tools"],
  ["mock_tool_calls", "mock_response may be a text"],
  ["mock_timeout", "mock_response may be a text"],
  ["mock_testing_rate_limit_error", "mock_response may be litellm.RateLimitError"],
]);

/**
 * Refuses a request that asks for what the gateway does not do.
 * @throws GatewayError 400 that names the field and the reason
 */
export function refuseUnheeded(body: JsonObject): void {
  for (const name in body) {
    const isCredential = name.startsWith("aws_") || name.startsWith("vertex_");
    const reason = isCredential ? ADMINISTRATORS : refused.get(name);
    if (reason !== undefined && !isEmpty(body[name]))
      throw invalidRequest(`${name} has no effect in a request: ${reason}`, name);
  }
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
