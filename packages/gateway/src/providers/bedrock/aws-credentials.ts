import { AwsV4Signer } from "aws4fetch";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { apiKey, fromEnvironment, optionalApiKey } from "../credentials.ts";

const service = "bedrock";
/** Ways of LiteLLM's to other credentials than those given; ignoring them would use the wrong ones. */
const otherWays = ["aws_role_name", "aws_profile_name", "aws_web_identity_token", "aws_sts_endpoint"];

/**
 * Headers that prove who calls: an API key of Bedrock's (`api_key`, AWS_BEARER_TOKEN_BEDROCK), or a signature
 * (Signature Version 4) with the access key of the deployment or the environment.
 * @throws GatewayError 500 naming what is not configured, or not supported
 */
export async function awsHeaders(
  deployment: Deployment,
  region: string,
  url: string,
  body: string,
): Promise<Record<string, string>> {
  const { params } = deployment;
  const other = otherWays.find((name) => params[name] !== undefined);
  if (other !== undefined) throw unsupported(other);
  const accessKeyId = given(params.aws_access_key_id, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = given(params.aws_secret_access_key, "AWS_SECRET_ACCESS_KEY");
  const token = optionalApiKey(deployment, ["AWS_BEARER_TOKEN_BEDROCK"]);
  const headers = { "content-type": "application/json" };
  if (token !== undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return { ...headers, authorization: `Bearer ${apiKey(deployment, ["AWS_BEARER_TOKEN_BEDROCK"])}` };
  // A key of the deployment's own never goes with the environment's session.
  const session = given(
    params.aws_session_token,
    params.aws_access_key_id === undefined ? "AWS_SESSION_TOKEN" : undefined,
  );
  const signer = new AwsV4Signer({
    method: "POST",
    url,
    headers,
    body,
    accessKeyId,
    secretAccessKey,
    ...(session === undefined ? {} : { sessionToken: session }),
    service,
    region,
  });
  const signed = await signer.sign();
  return Object.fromEntries(signed.headers);
}

function given(own: unknown, variable: string | undefined): string | undefined {
  if (typeof own === "string" && own !== "") return own;
  return variable === undefined ? undefined : fromEnvironment([variable]);
}

function unsupported(name: string): GatewayError {
  const text = `The provider bedrock does not support ${name}; give aws_access_key_id and aws_secret_access_key, or api_key`;
  return new GatewayError(500, "api_error", text, { retryable: false });
}
