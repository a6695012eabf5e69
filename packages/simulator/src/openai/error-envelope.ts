import type { ApiFailure } from "../http/api-failure.ts";

const types: Readonly<Record<number, string>> = {
  401: "invalid_request_error",
  403: "invalid_request_error",
  429: "requests",
};

const codes: Readonly<Record<number, string>> = {
  401: "invalid_api_key",
  429: "rate_limit_exceeded",
};

/** The body of an error answer, as OpenAI's API reference has it. */
export function errorEnvelope(failure: ApiFailure): { readonly error: Record<string, unknown> } {
  const { details, status } = failure;
  return {
    error: {
      message: failure.message,
      type: details.type ?? types[status] ?? (status >= 500 ? "server_error" : "invalid_request_error"),
      param: details.param ?? null,
      code: details.code === undefined ? (codes[status] ?? null) : details.code,
      ...details.extra,
    },
  };
}
