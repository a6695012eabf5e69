import { ApiFailure } from "../http/api-failure.ts";

/** A request that Anthropic refuses as invalid. */
export function invalidRequest(message: string): ApiFailure {
  return new ApiFailure(400, message, { type: "invalid_request_error" });
}

/** A member that must be there, named by its path such as `messages.0.content`. */
export function fieldRequired(path: string): ApiFailure {
  return invalidRequest(`${path}: Field required`);
}

/** A thread where there are none, such as in a batch: the refusal from which Anthropic's own client falls back. */
export function threadUnsupported(): ApiFailure {
  return new ApiFailure(400, "thread: message threads are not available for this request", {
    type: "invalid_request_error",
    extra: { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } },
  });
}

/** A thread that nobody keeps any more; Anthropic's client sends the whole conversation then. */
export function threadNotFound(id: string): ApiFailure {
  const extra = { details: { error_code: "thread_not_found" } };
  return new ApiFailure(404, `thread.previous_message_id: no thread ends with ${id}`, {
    type: "not_found_error",
    extra,
  });
}

/** A second answer to what one already continues. */
export function threadContinued(id: string): ApiFailure {
  const extra = { details: { error_code: "thread_already_continued" } };
  const message = `thread.previous_message_id: ${id} has been continued already`;
  return new ApiFailure(400, message, { type: "invalid_request_error", extra });
}

/** A model or object that does not exist. */
export function notFound(message: string): ApiFailure {
  return new ApiFailure(404, message, { type: "not_found_error" });
}
