import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type JsonObject, objectOf, parseJsonObject } from "../../../contract/json.ts";
import { fromEnvironment } from "../../credentials.ts";
import { type AwsKeys, type CredentialCall, keysOf, unusableCredentials } from "./aws-keys.ts";
import { type Profile, sharedSession } from "./shared-files.ts";

/** Milliseconds before its end at which a session's token is renewed. */
const RENEWED_BEFORE = 300_000;

/** Whose sign-in counts, and for which account. */
interface SingleSignOn {
  readonly profile: string;
  /** What the CLI names the token's file for. */
  readonly cacheKey: string;
  readonly region: string;
  readonly accountId: string;
  readonly roleName: string;
}

/**
 * Credentials of a profile of IAM Identity Center, whose user has signed in with `aws sso login`; `undefined` for other
 * profiles (AWS SDKs and Tools reference, "IAM Identity Center credential provider").
 * @throws GatewayError 500 where nobody has signed in, or not lately
 */
export async function ssoCredentials(
  name: string,
  profile: Profile,
  call: CredentialCall,
): Promise<AwsKeys | undefined> {
  const sso = singleSignOn(name, profile);
  if (sso === undefined) return undefined;
  const host = fromEnvironment(["AWS_ENDPOINT_URL_SSO"]) ?? `https://portal.sso.${sso.region}.amazonaws.com`;
  const query = new URLSearchParams({ role_name: sso.roleName, account_id: sso.accountId });
  const response = await call.fetch(`${host}/federation/credentials?${query}`, {
    headers: { "x-amz-sso_bearer_token": await sessionToken(sso, call) },
    ...(call.signal === undefined ? {} : { signal: call.signal }),
  });
  const answer = parseJsonObject(await response.text());
  const given = response.ok ? keysOfRole(objectOf(answer?.roleCredentials)) : undefined;
  if (given === undefined) throw signInAgain(sso);
  return given;
}

function singleSignOn(name: string, profile: Profile): SingleSignOn | undefined {
  const accountId = profile.get("sso_account_id");
  const roleName = profile.get("sso_role_name");
  if (accountId === undefined || roleName === undefined) return undefined;
  const session = profile.get("sso_session");
  const place = session === undefined ? profile : sharedSession(session);
  const start = place?.get("sso_start_url");
  const region = place?.get("sso_region");
  if (start === undefined || region === undefined)
    throw unusableCredentials(`the profile ${name} does not say where to sign in`);
  return { profile: name, cacheKey: session ?? start, region, accountId, roleName };
}

/** Unlike elsewhere at AWS, the end is a number of milliseconds. */
function keysOfRole({ accessKeyId, secretAccessKey, sessionToken: token, expiration }: JsonObject) {
  const keys = keysOf({ AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: token });
  return keys && typeof expiration === "number" ? { ...keys, expiresAt: expiration } : keys;
}

/** The token that the sign-in left, renewed where it is about to end and can be. */
async function sessionToken(sso: SingleSignOn, call: CredentialCall): Promise<string> {
  const file = join(
    homedir(),
    ".aws",
    "sso",
    "cache",
    `${createHash("sha1").update(sso.cacheKey).digest("hex")}.json`,
  );
  const cached = readCache(file);
  const { accessToken, expiresAt } = cached ?? {};
  if (cached === undefined || typeof accessToken !== "string") throw signInAgain(sso);
  const end = Date.parse(String(expiresAt));
  if (end - RENEWED_BEFORE > Date.now()) return accessToken;
  const renewed = await renew(cached, sso, call);
  if (renewed !== undefined) {
    writeCache(file, { ...cached, ...renewed });
    return renewed.accessToken;
  }
  if (end > Date.now()) return accessToken;
  throw signInAgain(sso);
}

function readCache(file: string): JsonObject | undefined {
  try {
    return parseJsonObject(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** As the CLI does, because the old refresh token is spent. A cache that cannot be written is no failure of the call. */
function writeCache(file: string, content: JsonObject): void {
  try {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The token is good for this process until it ends.
  }
}

/** AWS SSO OIDC API reference, CreateToken. */
async function renew(
  { clientId, clientSecret, refreshToken }: JsonObject,
  { region }: SingleSignOn,
  { fetch, signal }: CredentialCall,
): Promise<{ accessToken: string; expiresAt: string; refreshToken: unknown } | undefined> {
  if (typeof refreshToken !== "string") return undefined;
  const host = fromEnvironment(["AWS_ENDPOINT_URL_SSO_OIDC"]) ?? `https://oidc.${region}.amazonaws.com`;
  const response = await fetch(`${host}/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ clientId, clientSecret, grantType: "refresh_token", refreshToken }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const answer = response.ok ? parseJsonObject(text) : undefined;
  const { accessToken, expiresIn } = answer ?? {};
  if (typeof accessToken !== "string" || typeof expiresIn !== "number") return undefined;
  const expiresAt = new Date(Date.now() + expiresIn * 1000).toISOString();
  return { accessToken, expiresAt, refreshToken: answer?.refreshToken ?? refreshToken };
}

function signInAgain({ profile }: SingleSignOn): Error {
  return unusableCredentials(`sign in with aws sso login --profile ${profile}`);
}
