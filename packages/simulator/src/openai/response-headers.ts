import type { OutgoingHttpHeaders } from "node:http";
import type { Exchange } from "../http/exchange.ts";

/** Headers that OpenAI sends with every answer; the rate limits never run out. */
export function openAiHeaders(exchange: Exchange): OutgoingHttpHeaders {
  return {
    "x-request-id": exchange.requestId,
    "openai-organization": "simulator",
    "openai-processing-ms": "1",
    "openai-version": "2020-10-01",
    "x-ratelimit-limit-requests": "10000",
    "x-ratelimit-limit-tokens": "2000000",
    "x-ratelimit-remaining-requests": "9999",
    "x-ratelimit-remaining-tokens": "1999000",
    "x-ratelimit-reset-requests": "6ms",
    "x-ratelimit-reset-tokens": "30ms",
  };
}
