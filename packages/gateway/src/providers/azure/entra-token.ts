import { GatewayError } from "../../contract/errors.ts";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";
import { sha256 } from "../../util/sha256.ts";
import { IssuedCredentials } from "../issued-credentials.ts";
import type { EntraIdentity } from "./entra-identity.ts";

const tokens = new IssuedCredentials<string>();

/**
 * A Microsoft Entra token, asked for once by all calls and kept until shortly before its end.
 * @throws GatewayError 502 when none is given out
 */
export function entraToken(
  identity: EntraIdentity,
  fetch: UpstreamFetch,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { url, method, headers, form } = identity;
  const body = form?.toString();
  return tokens.get(sha256(`${url} ${body}`), signal, async () => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await response.text();
    const answer = parseJsonObject(text);
    const token = response.ok ? answer?.access_token : undefined;
    if (typeof token !== "string" || token === "") throw refused(response.status, answer?.error);
    return { credentials: token, expiresAt: Date.now() + secondsOf(answer?.expires_in) * 1000 };
  });
}

/** Managed identities write the number as text. */
function secondsOf(value: unknown): number {
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds : 0;
}

function refused(status: number, code: unknown): GatewayError {
  const message =
    "Microsoft Entra gave no token for azure; check tenant_id, client_id, client_secret or the managed identity.";
  return new GatewayError(502, "api_error", message, { cause: `status ${status}, ${String(code)}` });
}
