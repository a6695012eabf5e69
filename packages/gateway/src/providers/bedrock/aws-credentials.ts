import { AwsV4Signer } from "aws4fetch";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { fromEnvironment } from "../credentials.ts";
import { IssuedCredentials } from "../issued-credentials.ts";
import type { AwsKeys, CredentialCall } from "./credentials/aws-keys.ts";
import { credentialsName, findCredentials, namesCredentials } from "./credentials/find-credentials.ts";

const SERVICE = "bedrock";

/**
 * Headers that prove who calls: an API key of Bedrock's (`api_key`, AWS_BEARER_TOKEN_BEDROCK), or a signature
 * (Signature Version 4) with AWS credentials. What the deployment itself names comes before the environment's.
 * @throws GatewayError 500 naming what is not configured, 502 where AWS gives out no credentials
 */
export async function awsHeaders(
  deployment: Deployment,
  url: string,
  body: string,
  call: CredentialCall,
): Promise<Record<string, string>> {
  const headers = { "content-type": "application/json" };
  const token =
    deployment.apiKey ??
    (namesCredentials(deployment) ? undefined : fromEnvironment(["AWS_BEARER_TOKEN_BEDROCK"]));
  if (token !== undefined) return { ...headers, authorization: `Bearer ${token}` };
  const keys = await rememberedCredentials(deployment, call);
  if (keys === undefined) throw noCredentials();
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const signer = new AwsV4Signer({
    method: "POST",
    url,
    headers,
    body,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    service: SERVICE,
    region: call.region,
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}

function noCredentials(): GatewayError {
  const text =
    "The provider bedrock has no credentials: set aws_access_key_id and aws_secret_access_key, aws_role_name, aws_profile_name or api_key in the model list, or AWS_BEARER_TOKEN_BEDROCK or AWS credentials in the environment";
  return new GatewayError(500, "api_error", text, { retryable: false });
}

const issued = new IssuedCredentials<AwsKeys | undefined>();

/** As `findCredentials`, which is asked again only shortly before keys end that were given out for a time. */
function rememberedCredentials(deployment: Deployment, call: CredentialCall): Promise<AwsKeys | undefined> {
  return issued.get(credentialsName(deployment), call.signal, async () => {
    const credentials = await findCredentials(deployment, call);
    return { credentials, expiresAt: credentials?.expiresAt };
  });
}
