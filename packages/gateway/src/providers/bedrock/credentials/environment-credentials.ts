import { readFileSync } from "node:fs";
import { fromEnvironment } from "../../credentials.ts";
import { type AwsKeys, keysOf, unusableCredentials } from "./aws-keys.ts";

/** The keys of the environment, if it has any. */
export function environmentKeys(): AwsKeys | undefined {
  return keysOf({
    AccessKeyId: fromEnvironment(["AWS_ACCESS_KEY_ID"]),
    SecretAccessKey: fromEnvironment(["AWS_SECRET_ACCESS_KEY"]),
    SessionToken: fromEnvironment(["AWS_SESSION_TOKEN"]),
  });
}

/**
 * A token of another identity provider, as LiteLLM's `aws_web_identity_token` names it: `oidc/file/PATH`,
 * `oidc/env/NAME`, `oidc/env_path/NAME` (a variable with a path), or the token itself.
 * @throws GatewayError 500 where there is no token
 */
export function webIdentityToken(given: string): string {
  const [, kind, rest = ""] = /^oidc\/([^/]+)\/(.*)$/s.exec(given) ?? [];
  switch (kind) {
    case undefined:
      return given;
    case "file":
      return tokenInFile(rest.startsWith("/") ? rest : `/${rest}`);
    case "env":
      return variable(rest);
    case "env_path":
      return tokenInFile(variable(rest));
    default:
      throw unusableCredentials(
        `aws_web_identity_token can be oidc/file/PATH, oidc/env/NAME, oidc/env_path/NAME or the token itself, not oidc/${kind}`,
      );
  }
}

/** A token that something else keeps up to date in a file, as Kubernetes does. */
export function tokenInFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw unusableCredentials(`the token's file ${file} cannot be read`);
  }
}

function variable(name: string): string {
  const value = fromEnvironment([name]);
  if (value === undefined) throw unusableCredentials(`the environment variable ${name} is not set`);
  return value;
}
