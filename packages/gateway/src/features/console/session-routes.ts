import { forbidden, GatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Authenticator } from "../../core/auth/authenticate.ts";
import type { KeyManagement } from "../../core/auth/management/key-management.ts";
import { requireAllowedAddress } from "../../core/http/caller-address.ts";
import { isOverHttps } from "../../core/http/public-address.ts";
import type { ConfigSource, GatewayConfig } from "../../platform/config/gateway-config.ts";
import { sha256 } from "../../util/sha256.ts";
import { newSessionBody } from "./schema.ts";
import { CONSOLE_HEADER, isFromConsole, type SessionCookie } from "./session-cookie.ts";
import { standingOf } from "./standing.ts";

/** Bytes of a request to sign in: a key and little else. */
const MAX_BODY = 4096;

/** `POST /ui/session` signs in with a key, `GET` tells who is signed in, `DELETE` signs out. */
export function sessionRoutes(
  cookie: SessionCookie,
  authenticator: Authenticator,
  config: ConfigSource,
  keys: KeyManagement | undefined,
): Route[] {
  const isSecure = ({ headers }: Exchange): boolean => isOverHttps(headers, config.current);
  const route = (method: Route["method"], access: Route["access"], handler: Route["handler"]): Route => ({
    method,
    path: "/ui/session",
    access,
    family: "openai",
    callType: "console_session",
    handler,
    maxBodyBytes: MAX_BODY,
  });
  return [
    route("POST", "public", async (exchange) => {
      const { key } = await parseJsonBody(exchange, newSessionBody);
      requireConsole(exchange);
      const { allowedIps } = config.current.generalSettings;
      requireAddress(exchange, allowedIps === undefined ? [] : [allowedIps], config.current);
      const principal = await authenticator.identify({ authorization: `Bearer ${key}` });
      if (principal.token !== undefined)
        throw new GatewayError(401, "authentication_error", "Sign in with a key; a token is none");
      requireAddress(exchange, principal.restrictions?.addresses ?? [], config.current);
      // By the text that was sent: the old one of a renewed key must not become a session of the new one.
      const session = cookie.begin(sha256(key.trim()), isSecure(exchange));
      return answer(principal, "key", keys, { "set-cookie": session });
    }),
    route("GET", "key", async (exchange) => {
      const isOfKey = cookie.keyHashOf(exchange.headers, isSecure(exchange)) !== undefined;
      return answer(exchange.principal, isOfKey ? "key" : "sso", keys);
    }),
    route("DELETE", "public", async (exchange) => {
      requireConsole(exchange);
      return {
        status: 200,
        headers: { "set-cookie": cookie.end(isSecure(exchange)) },
        body: { deleted: true },
      };
    }),
  ];
}

/** The route is public, so that nothing has looked at the address of who asks: whoever may use no key there gets no session. */
function requireAddress(
  { headers, address }: Exchange,
  lists: readonly (readonly string[])[],
  { generalSettings }: Pick<GatewayConfig, "generalSettings">,
): void {
  const request = { headers, socket: { remoteAddress: address } };
  for (const list of lists) requireAllowedAddress(request, list, generalSettings.useXForwardedFor);
}

/** Another site's form could sign its visitors in as somebody else, or out. */
function requireConsole({ headers }: Exchange): void {
  if (isFromConsole(headers)) return;
  throw forbidden(`Only the console may ask this: it sends ${CONSOLE_HEADER}: 1`);
}

async function answer(
  principal: Principal,
  by: "key" | "sso",
  keys: KeyManagement | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return {
    status: 200,
    headers: { ...headers, "cache-control": "no-store" },
    body: {
      role: principal.role,
      user_id: principal.isMaster ? null : (principal.userId ?? null),
      key_name: principal.isMaster ? "master key" : (principal.keyAlias ?? null),
      key_hash: principal.keyHash,
      by,
      may: await standingOf(principal, keys),
    },
  };
}
