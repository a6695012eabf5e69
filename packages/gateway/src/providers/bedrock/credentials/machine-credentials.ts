import { parseJsonObject } from "../../../contract/json.ts";
import { fromEnvironment } from "../../credentials.ts";
import { type AwsKeys, type CredentialCall, keysOf, unusableCredentials } from "./aws-keys.ts";
import { tokenInFile } from "./environment-credentials.ts";

/** Milliseconds for an answer of the machine's own services, which are near or not there at all. */
const NEARBY = 2000;
const CONTAINER_HOST = "http://169.254.170.2";
const INSTANCE_HOST = "http://169.254.169.254";
const INSTANCE_ROLES = "/latest/meta-data/iam/security-credentials/";

/** Credentials of a container's role, on ECS and EKS ("Container credential provider"). */
export async function containerCredentials(call: CredentialCall): Promise<AwsKeys | undefined> {
  const relative = fromEnvironment(["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"]);
  const url =
    relative === undefined
      ? fromEnvironment(["AWS_CONTAINER_CREDENTIALS_FULL_URI"])
      : CONTAINER_HOST + relative;
  if (url === undefined) return undefined;
  const file = fromEnvironment(["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"]);
  const token =
    file === undefined ? fromEnvironment(["AWS_CONTAINER_AUTHORIZATION_TOKEN"]) : tokenInFile(file);
  const text = await ask(call, url, token === undefined ? {} : { authorization: token });
  const keys = keysOf(parseJsonObject(text ?? "") ?? {});
  if (keys === undefined) throw unusableCredentials("the container's credential service gave none");
  return keys;
}

/** Credentials of an EC2 instance's role ("IMDS credential provider", version 2). */
export async function instanceCredentials(call: CredentialCall): Promise<AwsKeys | undefined> {
  if (fromEnvironment(["AWS_EC2_METADATA_DISABLED"])?.toLowerCase() === "true") return undefined;
  const host = fromEnvironment(["AWS_EC2_METADATA_SERVICE_ENDPOINT"])?.replace(/\/+$/, "") ?? INSTANCE_HOST;
  const lifetime = { "x-aws-ec2-metadata-token-ttl-seconds": "21600" };
  const token = await ask(call, `${host}/latest/api/token`, lifetime, "PUT");
  if (token === undefined) return undefined;
  const headers = { "x-aws-ec2-metadata-token": token };
  const role = (await ask(call, host + INSTANCE_ROLES, headers))?.split("\n", 1)[0]?.trim();
  if (role === undefined || role === "") return undefined;
  const text = await ask(call, host + INSTANCE_ROLES + encodeURIComponent(role), headers);
  return keysOf(parseJsonObject(text ?? "") ?? {});
}

/** The answer's text; `undefined` where nobody answers, or with another status than success. */
async function ask(
  { fetch, signal }: CredentialCall,
  url: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<string | undefined> {
  const soon = AbortSignal.timeout(NEARBY);
  const either = signal === undefined ? soon : AbortSignal.any([signal, soon]);
  try {
    const response = await fetch(url, { method, headers, signal: either });
    const text = await response.text();
    return response.ok ? text : undefined;
  } catch (failure) {
    if (signal?.aborted === true) throw failure;
    return undefined;
  }
}
