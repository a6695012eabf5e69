/**
 * Values of `GatewayError.providerCode` that routing acts on, whatever the provider calls them: the prompt does not
 * fit the model (`context_window_fallbacks`), or the provider refused its content (`content_policy_fallbacks`).
 */
export const CONTEXT_WINDOW_CODE = "context_length_exceeded";
export const CONTENT_POLICY_CODE = "content_policy_violation";
