import { readFileSync } from "node:fs";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { filledText } from "../../contract/json.ts";
import { fromEnvironment } from "../credentials.ts";

/** Who asks Microsoft Entra for a token, and how it is asked. */
export interface EntraIdentity {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly form: URLSearchParams | undefined;
}

const DEFAULT_AUTHORITY = "https://login.microsoftonline.com";
const DEFAULT_SCOPE = "https://cognitiveservices.azure.com/.default";
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const MACHINE_ADDRESS = "http://169.254.169.254/metadata/identity/oauth2/token";

/**
 * The identity that stands in for a key: the deployment's service principal (`tenant_id`, `client_id`,
 * `client_secret`), the environment's, its workload identity (AKS), or its managed identity.
 * Sources: Microsoft identity platform, "OAuth 2.0 client credentials flow"; Azure, "How to use managed identities".
 */
export function entraIdentity(deployment: Deployment): EntraIdentity | undefined {
  const { params } = deployment;
  const scope = filledText(params.azure_scope) ?? fromEnvironment(["AZURE_SCOPE"]) ?? DEFAULT_SCOPE;
  const tenant = filledText(params.tenant_id) ?? fromEnvironment(["AZURE_TENANT_ID"]);
  const client = filledText(params.client_id) ?? fromEnvironment(["AZURE_CLIENT_ID"]);
  const secret = filledText(params.client_secret) ?? fromEnvironment(["AZURE_CLIENT_SECRET"]);
  const file = fromEnvironment(["AZURE_FEDERATED_TOKEN_FILE"]);
  if (tenant !== undefined && client !== undefined) {
    const proof =
      secret !== undefined
        ? { client_secret: secret }
        : file !== undefined
          ? { client_assertion_type: ASSERTION_TYPE, client_assertion: assertionIn(file) }
          : undefined;
    if (proof !== undefined) return ofClient(tenant, { client_id: client, scope, ...proof });
  }
  return ofMachine(client, scope.replace(/\/\.default$/, ""));
}

function ofClient(tenant: string, fields: Record<string, string>): EntraIdentity {
  const authority = fromEnvironment(["AZURE_AUTHORITY_HOST"]) ?? DEFAULT_AUTHORITY;
  return {
    url: `${authority.replace(/\/+$/, "")}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    form: new URLSearchParams({ grant_type: "client_credentials", ...fields }),
  };
}

/** App Service and Container Apps say that there is one; elsewhere AZURE_CREDENTIAL does, as with LiteLLM. */
function ofMachine(client: string | undefined, resource: string): EntraIdentity | undefined {
  const endpoint = fromEnvironment(["IDENTITY_ENDPOINT"]);
  const header = fromEnvironment(["IDENTITY_HEADER"]);
  const ofService = endpoint !== undefined && header !== undefined;
  if (!ofService && fromEnvironment(["AZURE_CREDENTIAL"]) !== "ManagedIdentityCredential") return undefined;
  const url = new URL(ofService ? endpoint : MACHINE_ADDRESS);
  url.searchParams.set("api-version", ofService ? "2019-08-01" : "2018-02-01");
  url.searchParams.set("resource", resource);
  if (client !== undefined) url.searchParams.set("client_id", client);
  const headers: Record<string, string> = ofService ? { "x-identity-header": header } : { metadata: "true" };
  return { url: url.href, method: "GET", headers, form: undefined };
}

function assertionIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const text = "AZURE_FEDERATED_TOKEN_FILE names a file that cannot be read";
    throw new GatewayError(500, "api_error", text, { retryable: false, cause });
  }
}
