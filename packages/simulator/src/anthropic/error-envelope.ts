import type { ApiFailure } from "../http/api-failure.ts";

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The body of an error answer and the data of an error event, as Anthropic's API reference has it. */
export function errorEnvelope(failure: ApiFailure, requestId: string) {
  const { status, details } = failure;
  const fallback = status >= 500 ? "api_error" : "invalid_request_error";
  return {
    type: "error",
    error: {
      type: types[status] ?? details.type ?? fallback,
      message: failure.message,
      ...details.extra,
    },
    request_id: requestId,
  };
}
