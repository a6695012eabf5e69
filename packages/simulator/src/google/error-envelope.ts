import type { ApiFailure } from "../http/api-failure.ts";

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** The body of an error answer, as Google's error model has it (`google.rpc.Status`). */
export function errorEnvelope(failure: ApiFailure): { readonly error: Record<string, unknown> } {
  // 529 is Anthropic's own; the same condition is 503 here.
  const code = failure.status === 529 ? 503 : failure.status;
  const { retryAfter, extra } = failure.details;
  const retry =
    retryAfter === undefined
      ? {}
      : { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfter}s` }] };
  return {
    error: {
      code,
      message: failure.message,
      status: statuses[code] ?? (code >= 500 ? "INTERNAL" : "FAILED_PRECONDITION"),
      ...retry,
      ...extra,
    },
  };
}
