import { createSign } from "node:crypto";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import { RememberedFiles } from "../../util/remembered-files.ts";
import { fromEnvironment } from "../credentials.ts";

const DEFAULT_TOKEN_ADDRESS = "https://oauth2.googleapis.com/token";
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
/** Seconds for which a signed request for a token may be used. */
const ASSERTION_LIFETIME = 3600;

const files = new RememberedFiles(parseJsonObject);

/** A credentials file of Google's: a service account's, or a user's that `gcloud` wrote. */
export type GoogleCredentials = JsonObject;

/**
 * The credentials of a deployment: `vertex_credentials` or `vertex_ai_credentials` as a map, JSON text or a file's path, else the file that
 * GOOGLE_APPLICATION_CREDENTIALS names. `undefined` where there are none, as on Google's own machines.
 * @throws GatewayError 500 for credentials that cannot be read
 */
export function googleCredentials({ params }: Deployment): GoogleCredentials | undefined {
  const { vertex_credentials, vertex_ai_credentials } = params;
  const given =
    vertex_credentials ?? vertex_ai_credentials ?? fromEnvironment(["GOOGLE_APPLICATION_CREDENTIALS"]);
  if (given === undefined || given === "") return undefined;
  if (isJsonObject(given)) return given;
  const text = String(given);
  const credentials = text.trimStart().startsWith("{") ? parseJsonObject(text) : readCredentials(text);
  if (credentials === undefined) throw unusable("they are not JSON");
  return credentials;
}

/** The body of a request for an access token, and where it goes (RFC 7523; Google's OAuth 2.0 for server to server). */
export function tokenRequest(
  credentials: GoogleCredentials,
  now: number,
): { url: string; form: URLSearchParams } {
  const url = typeof credentials.token_uri === "string" ? credentials.token_uri : DEFAULT_TOKEN_ADDRESS;
  switch (credentials.type) {
    case "service_account": {
      const assertion = signedAssertion(credentials, url, Math.floor(now / 1000));
      const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer";
      return { url, form: new URLSearchParams({ grant_type: grant, assertion }) };
    }
    case "authorized_user": {
      const { client_id, client_secret, refresh_token } = credentials;
      return {
        url,
        form: new URLSearchParams({
          grant_type: "refresh_token",
          client_id: String(client_id),
          client_secret: String(client_secret),
          refresh_token: String(refresh_token),
        }),
      };
    }
    default:
      throw unusable("their type is neither service_account nor authorized_user");
  }
}

function signedAssertion(credentials: GoogleCredentials, audience: string, issuedAt: number): string {
  const { client_email: issuer, private_key: key, private_key_id: keyId } = credentials;
  if (typeof issuer !== "string" || typeof key !== "string")
    throw unusable("client_email or private_key is missing");
  const header = { alg: "RS256", typ: "JWT", kid: keyId };
  const claims = {
    iss: issuer,
    scope: SCOPE,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + ASSERTION_LIFETIME,
  };
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  try {
    return `${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}`;
  } catch {
    throw unusable("private_key is not a key in PEM");
  }
}

function readCredentials(file: string): GoogleCredentials | undefined {
  try {
    return files.read(file);
  } catch {
    throw unusable("their file cannot be read");
  }
}

function unusable(reason: string): GatewayError {
  const text = `The credentials of vertex_ai cannot be used: ${reason}`;
  return new GatewayError(500, "api_error", text, { retryable: false });
}
