/**
 * Headers for a gateway's key alone, with or without `Bearer`. They come first: a client such as Claude Code may need
 * `authorization` for another purpose.
 */
export const GATEWAY_KEY_HEADERS = ["x-portico-api-key", "x-litellm-api-key"] as const;
/** Headers that clients of the various dialects send their key in, beside `authorization`. */
export const DIALECT_KEY_HEADERS = [
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "ocp-apim-subscription-key",
] as const;
