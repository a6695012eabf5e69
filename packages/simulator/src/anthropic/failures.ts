import { ApiFailure } from "../http/api-failure.ts";

/** A request that Anthropic refuses as invalid. */
export function invalidRequest(message: string): ApiFailure {
  return new ApiFailure(400, message, { type: "invalid_request_error" });
}

/** A member that must be there, named by its path such as `messages.0.content`. */
export function fieldRequired(path: string): ApiFailure {
  return invalidRequest(`${path}: Field required`);
}

/** The simulator keeps no message threads; its refusal is the one from which Anthropic's own client falls back. */
export function threadUnsupported(): ApiFailure {
  return new ApiFailure(400, "thread: message threads are not available for this request", {
    type: "invalid_request_error",
    extra: { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } },
  });
}

/** A model or object that does not exist. */
export function notFound(message: string): ApiFailure {
  return new ApiFailure(404, message, { type: "not_found_error" });
}
