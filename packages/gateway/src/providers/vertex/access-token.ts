import { GatewayError } from "../../contract/errors.ts";
import { parseJsonObject } from "../../contract/json.ts";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { fromEnvironment } from "../credentials.ts";
import { IssuedCredentials } from "../issued-credentials.ts";
import { type GoogleCredentials, tokenRequest } from "./service-account.ts";

const tokens = new IssuedCredentials<string>();

/**
 * A token for Google's cloud, remembered until shortly before its end: asked for with the credentials, or without
 * any from the metadata server of the machine.
 * @throws GatewayError 502 when none is given out
 */
export function accessToken(
  credentials: GoogleCredentials | undefined,
  fetch: UpstreamFetch,
  signal: AbortSignal | undefined,
): Promise<string> {
  return tokens.get(JSON.stringify(credentials ?? {}), signal, async () => {
    const cancel = signal === undefined ? {} : { signal };
    const response =
      credentials === undefined
        ? await askMachine(fetch, cancel)
        : await askGoogle(credentials, fetch, cancel);
    const text = await response.text();
    const answer = response.ok ? parseJsonObject(text) : undefined;
    const token = answer?.access_token;
    if (typeof token !== "string" || token === "") throw refused(response.status, text);
    const seconds = typeof answer?.expires_in === "number" ? answer.expires_in : 0;
    return { credentials: token, expiresAt: Date.now() + seconds * 1000 };
  });
}

function askGoogle(
  credentials: GoogleCredentials,
  fetch: UpstreamFetch,
  cancel: { signal?: AbortSignal },
): Promise<Response> {
  const { url, form } = tokenRequest(credentials, Date.now());
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return fetch(url, { method: "POST", headers, body: form.toString(), ...cancel });
}

/** Source: Google Cloud, Compute metadata server. */
function askMachine(fetch: UpstreamFetch, cancel: { signal?: AbortSignal }): Promise<Response> {
  const host = fromEnvironment(["GCE_METADATA_HOST"]) ?? "metadata.google.internal";
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`;
  return fetch(url, { headers: { "metadata-flavor": "Google" }, ...cancel });
}

function refused(status: number, text: string): GatewayError {
  const said = parseJsonObject(text)?.error;
  const message = "Google gave no access token for vertex_ai; check vertex_credentials.";
  return new GatewayError(502, "api_error", message, { cause: `status ${status}, ${String(said)}` });
}
