import type { Deployment } from "../../contract/deployment.ts";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { apiKey, fromEnvironment, optionalApiKey } from "../credentials.ts";
import { entraIdentity } from "./entra-identity.ts";
import { entraToken } from "./entra-token.ts";

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
