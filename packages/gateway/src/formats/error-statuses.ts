/** Statuses of the error types of OpenAI and Anthropic, for where there is no status line: in streams and batches. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** The status that an error of this type comes with; `undefined` for types that no status belongs to. */
export function statusOfErrorType(type: unknown): number | undefined {
  return statuses.get(type);
}
