import { AwsV4Signer } from "aws4fetch";
import { GatewayError } from "../../../contract/errors.ts";
import { objectOf } from "../../../contract/json.ts";
import { fromEnvironment } from "../../credentials.ts";
import { type AwsKeys, type CredentialCall, keysOf, unusableCredentials } from "./aws-keys.ts";

/** A role to take on, as the Security Token Service is asked for it. */
export interface Role {
  readonly arn: string;
  /** Names the session in AWS's logs. */
  readonly sessionName: string | undefined;
  readonly externalId: string | undefined;
  /** A list of `{Key, Value}`. */
  readonly tags?: unknown;
  /** Address of the service; the region's own without it. */
  readonly endpoint: string | undefined;
}

const VERSION = "2011-06-15";
const DEFAULT_SESSION_NAME = "portico";

/** Credentials of a role for whoever holds these keys (AWS STS API reference, AssumeRole). */
export function assumeRole(role: Role, keys: AwsKeys, call: CredentialCall): Promise<AwsKeys> {
  const form = roleForm("AssumeRole", role);
  for (const [index, { Key, Value }] of tagsOf(role.tags).entries()) {
    form.set(`Tags.member.${index + 1}.Key`, Key);
    form.set(`Tags.member.${index + 1}.Value`, Value);
  }
  return ask(form, role, keys, call);
}

/** Credentials of a role for whom a token of another identity provider names (AssumeRoleWithWebIdentity). */
export function assumeRoleWithToken(role: Role, token: string, call: CredentialCall): Promise<AwsKeys> {
  const form = roleForm("AssumeRoleWithWebIdentity", role);
  form.set("WebIdentityToken", token);
  return ask(form, role, undefined, call);
}

function roleForm(action: string, { arn, sessionName, externalId }: Role): URLSearchParams {
  const form = new URLSearchParams({
    Action: action,
    Version: VERSION,
    RoleArn: arn,
    RoleSessionName: sessionName ?? DEFAULT_SESSION_NAME,
  });
  if (externalId !== undefined) form.set("ExternalId", externalId);
  return form;
}

function tagsOf(tags: unknown): { Key: string; Value: string }[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags)) throw unusableCredentials("aws_session_tags is not a list of {Key, Value}");
  return tags.map((tag: unknown) => {
    const { Key, Value } = objectOf(tag);
    if (typeof Key !== "string" || typeof Value !== "string")
      throw unusableCredentials("aws_session_tags is not a list of {Key, Value}");
    return { Key, Value };
  });
}

async function ask(
  form: URLSearchParams,
  { endpoint }: Role,
  keys: AwsKeys | undefined,
  { region, fetch, signal }: CredentialCall,
): Promise<AwsKeys> {
  const url =
    endpoint ??
    fromEnvironment(["AWS_STS_ENDPOINT", "AWS_ENDPOINT_URL_STS"]) ??
    `https://sts.${region}.amazonaws.com`;
  const body = form.toString();
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const signed =
    keys === undefined
      ? headers
      : await new AwsV4Signer({ method: "POST", url, headers, body, service: "sts", region, ...keys }).sign();
  const response = await fetch(new URL(url), {
    method: "POST",
    headers: "headers" in signed ? signed.headers : signed,
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const given = response.ok ? keysOf(elements(text)) : undefined;
  if (given !== undefined) return given;
  const { Code } = elements(text);
  const message =
    "AWS gave no credentials of the role for bedrock; check aws_role_name and who may take it on.";
  throw new GatewayError(502, "api_error", message, { cause: `status ${response.status}, ${Code}` });
}

/** The texts of an XML answer by the names of their elements; of what is wanted here none has entities. */
function elements(xml: string): Record<string, string> {
  return Object.fromEntries([...xml.matchAll(/<(\w+)>([^<]+)<\/\1>/g)].map(([, name, text]) => [name, text]));
}
