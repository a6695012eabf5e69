import type { IncomingHttpHeaders } from "node:http";
import type { Family } from "../../contract/wire-format.ts";
import { callerHeaders, isProtocolHeader } from "../../formats/upstream-headers.ts";
import {
  connectionTokens,
  headerValue,
  hopByHop,
  type ResponseHeaders,
} from "../../platform/transport/headers.ts";

/** What a provider's API reads; everything else is between the caller and the gateway. */
const TO_PROVIDERS = ["accept", "content-type", "range"];

/** The caller's headers that a provider gets; its credentials and what else it asks for come after them. */
export function headersForProvider(headers: IncomingHttpHeaders): Record<string, string> {
  return chosen(headers, (name) => TO_PROVIDERS.includes(name) || isProtocolHeader(name));
}

/** What every request says about its body and its answer. */
const ALWAYS = ["accept", "content-type"];

/** Of the gateway alone, of one connection, or a credential in any maker's words. */
const KEPT_BACK =
  /^(?:host|content-(?:length|encoding)|accept-encoding|expect|cookie2?|set-cookie|authorization|authentication|(?:x-)?(?:auth|access|api|subscription)-?(?:key|token)|x-goog-.*|x-amz-.*|ocp-apim-.*|x-(?:portico|litellm)-.*|x-forwarded-.*|forwarded|via|x-real-ip|x-(?:http-)?method(?:-override)?|x-original-.*|x-rewrite-.*|idempotency-key|sec-.*|proxy-.*|http2-settings|upgrade-insecure-requests|origin|referer|priority|traceparent|tracestate|baggage)$/;

/**
 * The caller's headers that the target of an endpoint gets.
 * @param all whether more than those about the body pass (`forward_headers`)
 * @param keyHeader the header of keys that the configuration names
 */
export function headersForTarget(
  headers: IncomingHttpHeaders,
  all: boolean,
  keyHeader: string | undefined,
): Record<string, string> {
  if (!all) return chosen(headers, (name) => ALWAYS.includes(name));
  const named = connectionTokens(headers.connection);
  const isKeptBack = (name: string): boolean =>
    KEPT_BACK.test(name) || hopByHop.has(name) || named.includes(name) || name === keyHeader?.toLowerCase();
  return chosen(headers, (name) => !isKeptBack(name));
}

function chosen(headers: IncomingHttpHeaders, isWanted: (name: string) => boolean): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || !isWanted(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  return Object.fromEntries(entries);
}

/** What an answer says about its body. */
const OF_BODIES = [
  "content-type",
  "content-length",
  "content-encoding",
  "content-disposition",
  "content-language",
  "content-range",
  "accept-ranges",
];

/** The headers of an answer that its caller gets: about the body, rate limits, the provider's request id. */
export function headersOfAnswer(upstream: ResponseHeaders, family: Family): Record<string, string> {
  const headers = callerHeaders(upstream, family);
  for (const name of OF_BODIES) {
    const value = headerValue(upstream, name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
