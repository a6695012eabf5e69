import { GatewayError } from "../../../contract/errors.ts";
import type { UpstreamFetch } from "../../../contract/provider.ts";

/** What requests to AWS are signed with. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Goes with keys that were given out for a time. */
  readonly sessionToken?: string;
  /** Milliseconds since the epoch; absent for keys without an end. */
  readonly expiresAt?: number;
}

/** What finding credentials needs of the call that wants them. */
export interface CredentialCall {
  readonly region: string;
  readonly fetch: UpstreamFetch;
  readonly signal: AbortSignal | undefined;
}

/** The members in which AWS gives credentials out as JSON; `undefined` where they are not all there. */
export function keysOf(answer: Readonly<Record<string, unknown>>): AwsKeys | undefined {
  const { AccessKeyId, SecretAccessKey, Expiration } = answer;
  const token = answer.SessionToken ?? answer.Token;
  if (typeof AccessKeyId !== "string" || typeof SecretAccessKey !== "string") return undefined;
  const expiresAt = Date.parse(String(Expiration));
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(typeof token === "string" ? { sessionToken: token } : {}),
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  };
}

/** Credentials that are set up in a way that cannot work; trying again does not help. */
export function unusableCredentials(reason: string): GatewayError {
  const text = `The AWS credentials of bedrock cannot be used: ${reason}`;
  return new GatewayError(500, "api_error", text, { retryable: false });
}
