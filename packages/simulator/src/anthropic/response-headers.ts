import type { OutgoingHttpHeaders } from "node:http";
import type { Exchange } from "../http/exchange.ts";

/** Headers that Anthropic sends with every answer; the rate limits never run out. */
export function anthropicHeaders(exchange: Exchange): OutgoingHttpHeaders {
  const reset = new Date(exchange.state.clock() + 60_000).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    "request-id": exchange.requestId,
    "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
    "anthropic-ratelimit-requests-limit": "4000",
    "anthropic-ratelimit-requests-remaining": "3999",
    "anthropic-ratelimit-requests-reset": reset,
    "anthropic-ratelimit-tokens-limit": "2000000",
    "anthropic-ratelimit-tokens-remaining": "1999000",
    "anthropic-ratelimit-tokens-reset": reset,
    "anthropic-ratelimit-input-tokens-limit": "1600000",
    "anthropic-ratelimit-input-tokens-remaining": "1599000",
    "anthropic-ratelimit-input-tokens-reset": reset,
    "anthropic-ratelimit-output-tokens-limit": "400000",
    "anthropic-ratelimit-output-tokens-remaining": "399000",
    "anthropic-ratelimit-output-tokens-reset": reset,
  };
}
