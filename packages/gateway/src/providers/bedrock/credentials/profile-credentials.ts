import { promisify } from "node:util";
import { parseJsonObject } from "../../../contract/json.ts";
import { assumeRole, assumeRoleWithToken, type Role } from "./assume-role.ts";
import { type AwsKeys, type CredentialCall, keysOf, unusableCredentials } from "./aws-keys.ts";
import { environmentKeys, tokenInFile } from "./environment-credentials.ts";
import { containerCredentials, instanceCredentials } from "./machine-credentials.ts";
import { type Profile, sharedProfile } from "./shared-files.ts";
import { ssoCredentials } from "./sso-credentials.ts";

/** Milliseconds that a program of `credential_process` may take. */
const PROGRAM_TIMEOUT = 30_000;
/** Milliseconds for which a program's keys count that name no end; it is not started for every call. */
const PROGRAM_KEYS_LAST = 600_000;

/**
 * Credentials of a profile: its keys, a role that another profile or the machine may take on, a program's, or those of
 * a user who has signed in.
 * @param seen the profiles that lead here, which must not lead here again
 * @throws GatewayError 500 for a profile that is not there, or leads nowhere
 */
export async function profileCredentials(
  name: string,
  call: CredentialCall,
  seen: readonly string[] = [],
): Promise<AwsKeys> {
  const profile = sharedProfile(name);
  if (profile === undefined) throw unusableCredentials(`there is no profile ${name}`);
  if (profile.has("role_arn")) return roleOfProfile(name, profile, call, seen);
  const keys = keysOfProfile(profile);
  if (keys !== undefined) return keys;
  const program = profile.get("credential_process");
  if (program !== undefined) return fromProgram(name, program);
  const signedIn = await ssoCredentials(name, profile, call);
  if (signedIn !== undefined) return signedIn;
  throw unusableCredentials(
    `the profile ${name} has no keys, role, credential_process or account of IAM Identity Center`,
  );
}

function keysOfProfile(profile: Profile): AwsKeys | undefined {
  return keysOf({
    AccessKeyId: profile.get("aws_access_key_id"),
    SecretAccessKey: profile.get("aws_secret_access_key"),
    SessionToken: profile.get("aws_session_token"),
  });
}

async function roleOfProfile(
  name: string,
  profile: Profile,
  call: CredentialCall,
  seen: readonly string[],
): Promise<AwsKeys> {
  const role: Role = {
    arn: profile.get("role_arn")!,
    sessionName: profile.get("role_session_name"),
    externalId: profile.get("external_id"),
    endpoint: undefined,
  };
  if (profile.has("mfa_serial"))
    throw unusableCredentials(`the role of the profile ${name} wants a code from a device`);
  const file = profile.get("web_identity_token_file");
  if (file !== undefined) return assumeRoleWithToken(role, tokenInFile(file), call);
  return assumeRole(role, await sourceOf(name, profile, call, [...seen, name]), call);
}

/** Whose credentials may take the profile's role on. */
async function sourceOf(
  name: string,
  profile: Profile,
  call: CredentialCall,
  seen: readonly string[],
): Promise<AwsKeys> {
  const source = profile.get("source_profile");
  // A profile may name itself where it has keys beside the role.
  const own = source === name ? keysOfProfile(profile) : undefined;
  if (own !== undefined) return own;
  if (source !== undefined) {
    if (seen.includes(source)) throw unusableCredentials(`the profiles ${seen.join(", ")} lead in a circle`);
    return profileCredentials(source, call, seen);
  }
  const place = profile.get("credential_source");
  const keys =
    place === "Environment"
      ? environmentKeys()
      : place === "EcsContainer"
        ? await containerCredentials(call)
        : place === "Ec2InstanceMetadata"
          ? await instanceCredentials(call)
          : undefined;
  if (keys === undefined)
    throw unusableCredentials(`the profile ${name} does not say whose credentials take on its role`);
  return keys;
}

/** What a program prints (AWS SDKs and Tools reference, "Process credential provider"). */
async function fromProgram(name: string, command: string): Promise<AwsKeys> {
  // Few have such a program; a start need not load what runs it.
  const { exec } = await import("node:child_process");
  const printed = await promisify(exec)(command, { timeout: PROGRAM_TIMEOUT }).then(
    ({ stdout }) => stdout,
    () => "",
  );
  const keys = keysOf(parseJsonObject(printed) ?? {});
  if (keys === undefined)
    throw unusableCredentials(`the credential_process of the profile ${name} printed no credentials`);
  return { expiresAt: Date.now() + PROGRAM_KEYS_LAST, ...keys };
}
