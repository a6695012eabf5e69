import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { CONTEXT_WINDOW_CODE } from "../../contract/provider-code.ts";
import type { Family } from "../../contract/wire-format.ts";

/**
 * The body of an error answer, readable to the clients of either family: OpenAI's `error` object everywhere; for
 * Anthropic's clients also the top-level `type` and `request_id`; `detail` where the error names one.
 */
export function errorBody(error: GatewayError, family: Family, callId: string): JsonObject {
  return {
    ...(family === "anthropic" ? { type: "error" } : {}),
    error: {
      message: error.message,
      type: error.type,
      param: error.param ?? null,
      code: codeOf(error, family),
      ...(error.providerCode === undefined ? {} : { provider_code: error.providerCode }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    ...(family === "anthropic" ? { request_id: callId } : {}),
    ...(error.detail === undefined ? {} : { detail: error.detail }),
  };
}

/** The status, but for what OpenAI's clients act on: agents shorten the conversation at this word. */
function codeOf({ status, providerCode }: GatewayError, family: Family): string {
  return family === "openai" && providerCode === CONTEXT_WINDOW_CODE ? CONTEXT_WINDOW_CODE : String(status);
}

/** The headers that belong to an error whatever the family. */
export function errorHeaders(error: GatewayError): Record<string, string> {
  return {
    "content-type": "application/json",
    ...(error.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(error.retryAfter)) }),
    ...error.headers,
  };
}
