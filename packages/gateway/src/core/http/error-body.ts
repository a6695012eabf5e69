import { type CallRecord, withShownIds } from "../../contract/call-record.ts";
import type { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { CONTEXT_WINDOW_CODE } from "../../contract/provider-code.ts";
import type { Family } from "../../contract/wire-format.ts";
import { geminiErrorBody } from "../../formats/gemini/error-body.ts";

/**
 * The body of an error answer, readable to the clients of the family: OpenAI's `error` object; for Anthropic's clients
 * also the top-level `type` and `request_id`; Google's own. `detail` where the error names one.
 */
export function errorBody(error: GatewayError, family: Family, callId: string): JsonObject {
  if (family === "google") return geminiErrorBody(error);
  return {
    ...(family === "anthropic" ? { type: "error" } : {}),
    error: {
      message: error.message,
      type: error.type,
      param: error.param ?? null,
      code: codeOf(error, family),
      ...(error.providerCode === undefined ? {} : { provider_code: error.providerCode }),
      ...(isJsonObject(error.details) ? { details: error.details } : {}),
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

/** An error whose message names objects by the ids that the caller knows, never by the providers'. */
export function withoutForeignIds(error: GatewayError, call: CallRecord | undefined): GatewayError {
  if (call?.shownIds === undefined) return error;
  const message = withShownIds(call, error.message);
  return message === error.message ? error : error.with({ message });
}
