import type { IncomingHttpHeaders } from "node:http";
import { forbidden } from "../../contract/errors.ts";
import { cookieOf } from "../../util/cookies.ts";

/** Sessions' keys begin so. */
export const SESSION_PREFIX = "sk-session-";

/**
 * The name of a cookie of the gateway: with https it has the prefix with which no other host, such as one beside the
 * gateway's, can set the cookie (RFC 6265bis, section 4.1.3).
 */
export function hostCookie(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

const NAME = "portico_session";

/**
 * The session's key that a browser sends. Browsers send cookies whoever had them ask, so the request must come from a
 * page of the gateway itself.
 * @param isSecure whether browsers reach the gateway over https
 * @throws GatewayError 403 for a request that another site's page makes
 */
export function sessionIn(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const key = cookieOf(headers.cookie, hostCookie(NAME, isSecure));
  if (key === undefined || !key.startsWith(SESSION_PREFIX)) return undefined;
  requireOwnPage(headers);
  return key;
}

/** @throws GatewayError 403 */
export function requireOwnPage({ origin, host, ...headers }: IncomingHttpHeaders): void {
  const site = headers["sec-fetch-site"];
  const isOwnSite = site === undefined || site === "same-origin" || site === "none";
  const isOwnOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  if (isOwnSite && isOwnOrigin) return;
  throw forbidden("A session is for pages of the gateway itself");
}

/** The value of `set-cookie` that begins a session, or ends it without a key. */
export function sessionCookie(key: string | undefined, seconds: number, isSecure: boolean): string {
  const age = key === undefined ? 0 : Math.floor(seconds);
  return `${hostCookie(NAME, isSecure)}=${key ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? "; Secure" : ""}`;
}
