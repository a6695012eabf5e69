/** Headers of an answer as they came; names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Headers that concern one connection and are never passed on (RFC 9110 §7.6.1). */
export const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers without those of the connection, and without those that `connection` names. */
export function endToEnd(headers: ResponseHeaders): ResponseHeaders {
  const kept: Record<string, string | string[] | undefined> = {};
  const named = connectionTokens(headers.connection);
  for (const name in headers) {
    if (!hopByHop.has(name) && !named.includes(name)) kept[name] = headers[name];
  }
  return kept;
}

/** The names in a `connection` header that say more than whether it is kept. */
export function connectionTokens(value: string | string[] | undefined): readonly string[] {
  if (value === undefined || value === "keep-alive" || value === "close") return [];
  return String(value)
    .toLowerCase()
    .split(",")
    .map((token) => token.trim());
}

/** The one value of a header, the first when it came more than once. */
export function headerValue(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Longer waits are taken for this one, so that a provider cannot park a deployment for good. */
const MAX_SECONDS = 3600;

/**
 * Seconds that an answer asks to wait before another try: `retry-after-ms`, or `retry-after` as seconds or as an HTTP
 * date (RFC 9110 §10.2.3).
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const milliseconds = Number.parseFloat(single(headers["retry-after-ms"]) ?? "");
  if (Number.isFinite(milliseconds)) return bounded(milliseconds / 1000);
  const value = single(headers["retry-after"])?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return bounded(Number(value));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : bounded((date - now) / 1000);
}

function bounded(seconds: number): number {
  return Math.min(MAX_SECONDS, Math.max(0, seconds));
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
