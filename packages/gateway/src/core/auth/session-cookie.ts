import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../../contract/errors.ts";
import { cookieOf } from "../../util/cookies.ts";

/** Sessions' keys begin so. */
export const SESSION_PREFIX = "sk-session-";

/** The name that a cookie has: with the prefix no other host can set it (RFC 6265bis, section 4.1.3). */
const NAMES = ["__Host-portico_session", "portico_session"] as const;

/**
 * The session's key that a browser sends. Browsers send cookies whoever had them ask, so the request must come from a
 * page of the gateway itself.
 * @throws GatewayError 403 for a request that another site's page makes
 */
export function sessionIn(headers: IncomingHttpHeaders): string | undefined {
  const key = cookieOf(headers.cookie, NAMES[0]) ?? cookieOf(headers.cookie, NAMES[1]);
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
  throw new GatewayError(403, "permission_error", "A session is for pages of the gateway itself");
}

/** The value of `set-cookie` that begins a session, or ends it without a key. */
export function sessionCookie(key: string | undefined, seconds: number, isSecure: boolean): string {
  const name = isSecure ? NAMES[0] : NAMES[1];
  const age = key === undefined ? 0 : Math.floor(seconds);
  return `${name}=${key ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? "; Secure" : ""}`;
}
