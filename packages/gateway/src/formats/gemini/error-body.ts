import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";

/** Google's words for statuses (google.rpc.Code, and its mapping to HTTP). */
const WORDS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  // A budget is a resource; HTTP's word for it is rare enough to have none of Google's.
  402: "RESOURCE_EXHAUSTED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  408: "DEADLINE_EXCEEDED",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
  529: "UNAVAILABLE",
};

/** Reasons by which Google's clients tell errors of one status apart (google.rpc.ErrorInfo). */
const REASONS: Readonly<Record<number, string>> = {
  401: "API_KEY_INVALID",
  402: "BUDGET_EXCEEDED",
  429: "RATE_LIMIT_EXCEEDED",
};

/** An error as Google's clients read it (google.rpc.Status, in JSON). */
export function geminiErrorBody(error: GatewayError): { error: JsonObject } {
  const { status: code, message } = error;
  const details = detailsOf(error);
  return {
    error: {
      code,
      message,
      status: WORDS[code] ?? (code >= 500 ? "INTERNAL" : "FAILED_PRECONDITION"),
      ...(details.length === 0 ? {} : { details }),
    },
  };
}

/** Google's own where the error came from Google. */
function detailsOf(error: GatewayError): readonly JsonObject[] {
  const { status, param, message, retryAfter, providerCode } = error;
  if (Array.isArray(error.details)) return error.details as readonly JsonObject[];
  const details: JsonObject[] = [];
  const reason = providerCode ?? REASONS[status];
  if (reason !== undefined) details.push({ ...typed("ErrorInfo"), reason, domain: "portico" });
  if (param !== undefined && status === 400)
    details.push({ ...typed("BadRequest"), fieldViolations: [{ field: param, description: message }] });
  if (retryAfter !== undefined)
    details.push({ ...typed("RetryInfo"), retryDelay: `${Math.ceil(retryAfter)}s` });
  return details;
}

function typed(name: string): JsonObject {
  return { "@type": `type.googleapis.com/google.rpc.${name}` };
}
