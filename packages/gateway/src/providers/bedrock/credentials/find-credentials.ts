import type { Deployment } from "../../../contract/deployment.ts";
import { filledText } from "../../../contract/json.ts";
import { fromEnvironment } from "../../credentials.ts";
import { assumeRole, assumeRoleWithToken, type Role } from "./assume-role.ts";
import { type AwsKeys, type CredentialCall, keysOf, unusableCredentials } from "./aws-keys.ts";
import { environmentKeys, tokenInFile, webIdentityToken } from "./environment-credentials.ts";
import { containerCredentials, instanceCredentials } from "./machine-credentials.ts";
import { profileCredentials } from "./profile-credentials.ts";
import { sharedProfile } from "./shared-files.ts";

/** LiteLLM's parameters of a deployment that say who calls AWS, and the variables that stand in for them. */
const names = {
  accessKeyId: "aws_access_key_id",
  secretAccessKey: "aws_secret_access_key",
  sessionToken: "aws_session_token",
  role: "aws_role_name",
  sessionName: "aws_session_name",
  externalId: "aws_external_id",
  sessionTags: "aws_session_tags",
  stsEndpoint: "aws_sts_endpoint",
  webIdentityToken: "aws_web_identity_token",
  profile: "aws_profile_name",
} as const;

/** Whether the deployment itself says who calls AWS. */
export function namesCredentials({ params }: Deployment): boolean {
  return [names.accessKeyId, names.secretAccessKey, names.role, names.webIdentityToken, names.profile].some(
    (name) => params[name] !== undefined,
  );
}

/** A text that names the deployment's credentials, for remembering what they led to. */
export function credentialsName({ params }: Deployment): string {
  return JSON.stringify(Object.values(names).map((name) => params[name]));
}

/**
 * The keys that a deployment's requests are signed with, in LiteLLM's order: a role with another provider's token, a
 * role, a profile, its own keys, and without any of these AWS's usual chain. `undefined` where nothing is found.
 * @throws GatewayError 500 for credentials that cannot be used, 502 where AWS refuses them
 */
export async function findCredentials(
  deployment: Deployment,
  call: CredentialCall,
): Promise<AwsKeys | undefined> {
  const arn = setting(deployment, names.role);
  if (arn === undefined) return ownCredentials(deployment, call);
  const role: Role = {
    arn,
    sessionName: setting(deployment, names.sessionName),
    externalId: setting(deployment, names.externalId),
    tags: deployment.params[names.sessionTags],
    endpoint: setting(deployment, names.stsEndpoint),
  };
  const token = setting(deployment, names.webIdentityToken);
  if (token !== undefined) return assumeRoleWithToken(role, webIdentityToken(token), call);
  const keys = await ownCredentials(deployment, call);
  return keys && assumeRole(role, keys, call);
}

/** The deployment's credentials without its role. */
async function ownCredentials(deployment: Deployment, call: CredentialCall): Promise<AwsKeys | undefined> {
  const own = ownKeys(deployment);
  if (own !== undefined) return own;
  const profile = setting(deployment, names.profile);
  return profile === undefined ? usualCredentials(call) : profileCredentials(profile, call);
}

function ownKeys(deployment: Deployment): AwsKeys | undefined {
  const { params } = deployment;
  if (params[names.accessKeyId] === undefined && params[names.secretAccessKey] === undefined)
    return undefined;
  const keys = keysOf({
    AccessKeyId: setting(deployment, names.accessKeyId),
    SecretAccessKey: setting(deployment, names.secretAccessKey),
    // A key of the deployment's own never goes with the environment's session.
    SessionToken: params[names.sessionToken],
  });
  if (keys === undefined)
    throw unusableCredentials("aws_access_key_id and aws_secret_access_key belong together");
  return keys;
}

/** Source: AWS SDKs and Tools reference, "Understand the credential provider chain". */
async function usualCredentials(call: CredentialCall): Promise<AwsKeys | undefined> {
  const keys = environmentKeys();
  if (keys !== undefined) return keys;
  const file = fromEnvironment(["AWS_WEB_IDENTITY_TOKEN_FILE"]);
  const arn = fromEnvironment(["AWS_ROLE_ARN"]);
  if (file !== undefined && arn !== undefined) {
    const sessionName = fromEnvironment(["AWS_ROLE_SESSION_NAME"]);
    const role: Role = { arn, sessionName, externalId: undefined, endpoint: undefined };
    return assumeRoleWithToken(role, tokenInFile(file), call);
  }
  const profile = fromEnvironment(["AWS_PROFILE"]);
  if (profile !== undefined || isUsable("default")) return profileCredentials(profile ?? "default", call);
  return (await containerCredentials(call)) ?? (await instanceCredentials(call));
}

/** A default profile may only set a region; then the chain goes on. */
function isUsable(profile: string): boolean {
  const found = sharedProfile(profile);
  return ["aws_access_key_id", "role_arn", "credential_process"].some((name) => found?.has(name) === true);
}

/** A parameter of the deployment, else the variable of the same name in capitals. */
function setting({ params }: Deployment, name: string): string | undefined {
  return filledText(params[name]) ?? fromEnvironment([name.toUpperCase()]);
}
