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
