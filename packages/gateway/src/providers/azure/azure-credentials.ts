import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { parseJsonObject } from "../../contract/json.ts";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { sha256 } from "../../util/sha256.ts";
import { apiKey, fromEnvironment, optionalApiKey } from "../credentials.ts";
import { IssuedCredentials } from "../issued-credentials.ts";
import { type EntraIdentity, entraIdentity } from "./entra-identity.ts";

const keyNames = ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"];

/**
 * Headers that need not be fetched: the deployment's key, else a token that is configured, else the environment's key
 * unless the deployment has an identity of its own.
 * @throws GatewayError 500 where there is nothing of the kind and no identity either
 */
export function keyHeaders(deployment: Deployment): Record<string, string> {
  const given = givenHeaders(deployment);
  if (given !== undefined) return given;
  return entraIdentity(deployment) === undefined ? { "api-key": apiKey(deployment, keyNames) } : {};
}

function givenHeaders(deployment: Deployment): Record<string, string> | undefined {
  if (deployment.apiKey !== undefined) return { "api-key": deployment.apiKey };
  const { azure_ad_token: own, client_id: client } = deployment.params;
  const token = own ?? (client === undefined ? fromEnvironment(["AZURE_AD_TOKEN"]) : undefined);
  if (typeof token === "string") return { authorization: `Bearer ${token}` };
  const key = client === undefined ? optionalApiKey(deployment, keyNames) : undefined;
  return key === undefined ? undefined : { "api-key": key };
}

/** The token of the identity that stands in for a key; nothing where there is a key. */
export async function identityHeaders(
  deployment: Deployment,
  fetch: UpstreamFetch,
  signal: AbortSignal | undefined,
): Promise<Record<string, string>> {
  if (givenHeaders(deployment) !== undefined) return {};
  const identity = entraIdentity(deployment);
  if (identity === undefined) return {};
  return { authorization: `Bearer ${await entraToken(identity, fetch, signal)}` };
}

const tokens = new IssuedCredentials<string>();

/**
 * A Microsoft Entra token, asked for once by all calls and kept until shortly before its end.
 * @throws GatewayError 502 when none is given out
 */
function entraToken(
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
