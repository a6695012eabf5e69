import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration as Client,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from "openid-client";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { SsoSettings } from "../../platform/config/read/read-sso.ts";
import { isLoopback } from "../../platform/config/read/read-tokens.ts";
import type { Upstream } from "../../platform/transport/upstream.ts";
import { upstreamFetch } from "../../platform/transport/upstream-fetch.ts";

/** What a sign-in under way must come back with. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Seconds that a provider has for each answer. */
const TIMEOUT = 5;
/** Milliseconds for which a provider's discovery document is kept. */
const KEPT = 600_000;

/** Where people sign in: OpenID Connect with the code flow and PKCE, or OAuth with an endpoint that tells who it is. */
export class SignInProvider {
  readonly #upstream: Upstream;
  #known:
    | { readonly settings: SsoSettings; readonly at: number; readonly client: Promise<Configuration> }
    | undefined;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** The address at which somebody signs in. */
  async startAddress(settings: SsoSettings, redirectUri: string, checks: Checks): Promise<string> {
    const client = await this.#client(settings);
    const address = buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: settings.scope,
      state: checks.state,
      ...(settings.provider.issuer === undefined ? {} : { nonce: checks.nonce }),
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: "S256",
    });
    return address.href;
  }

  /**
   * The claims of whoever signed in.
   * @param address the one that the browser came back to, with its query
   * @throws GatewayError 401 where that did not succeed
   */
  async finish(settings: SsoSettings, address: URL, checks: Checks): Promise<JsonObject> {
    const client = await this.#client(settings);
    try {
      if (settings.provider.issuer === undefined)
        return await this.#ofOAuth(settings, client, address, checks);
      const tokens = await authorizationCodeGrant(client, address, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      });
      return { ...tokens.claims() };
    } catch (error) {
      throw new GatewayError(401, "authentication_error", "Signing in did not succeed; try again", {
        cause: error,
      });
    }
  }

  /** Without OpenID Connect an endpoint of the provider says who signed in; an ID token that it gives is not read. */
  async #ofOAuth(
    { provider, clientId, clientSecret }: SsoSettings,
    client: Configuration,
    address: URL,
    { state, verifier }: Checks,
  ): Promise<JsonObject> {
    const { searchParams } = address;
    const code = searchParams.get("code");
    if (searchParams.get("state") !== state || code === null) throw new Error("no code for this sign-in");
    const fetch = upstreamFetch(this.#upstream, { timeouts: { whole: TIMEOUT } });
    const { token_endpoint: tokenEndpoint, userinfo_endpoint: userinfo } = client.serverMetadata();
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: `${address.origin}${address.pathname}`,
      code_verifier: verifier,
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    });
    const answer = await fetch(tokenEndpoint!, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: form.toString(),
    });
    const tokens: unknown = await answer.json();
    if (!answer.ok || !isJsonObject(tokens) || typeof tokens.access_token !== "string")
      throw new Error(`no token: status ${answer.status}`);
    const asked = await fetch(userinfo!, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const claims: unknown = await asked.json();
    if (!asked.ok || !isJsonObject(claims)) throw new Error(`nobody signed in: status ${asked.status}`);
    return { ...claims, iss: provider.issuer ?? new URL(tokenEndpoint!).origin };
  }

  async #client(settings: SsoSettings): Promise<Configuration> {
    const now = performance.now();
    if (this.#known?.settings !== settings || now - this.#known.at > KEPT)
      this.#known = { settings, at: now, client: this.#open(settings) };
    try {
      return await this.#known.client;
    } catch (error) {
      this.#known = undefined;
      const message = "The identity provider does not answer; try again";
      throw new GatewayError(502, "api_error", message, { cause: error });
    }
  }

  async #open({ provider, clientId, clientSecret }: SsoSettings): Promise<Configuration> {
    const authentication = clientSecret === undefined ? None() : ClientSecretPost(clientSecret);
    if (provider.issuer === undefined) {
      const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint } = provider;
      const server = {
        issuer: new URL(authorizationEndpoint).origin,
        authorization_endpoint: authorizationEndpoint,
        token_endpoint: tokenEndpoint,
        userinfo_endpoint: userinfoEndpoint,
      };
      const client = new Client(server, clientId, {}, authentication);
      if (isLoopback(new URL(authorizationEndpoint).hostname)) allowInsecureRequests(client);
      return client;
    }
    const issuer = new URL(provider.issuer);
    const fetch = upstreamFetch(this.#upstream, { timeouts: { whole: TIMEOUT } });
    return discovery(issuer, clientId, {}, authentication, {
      timeout: TIMEOUT,
      [customFetch]: (url, { method, headers, body, signal }) =>
        fetch(url, {
          method,
          headers,
          body: body?.toString() ?? null,
          signal: signal ?? null,
        } as RequestInit),
      execute: [enableNonRepudiationChecks, ...(isLoopback(issuer.hostname) ? [allowInsecureRequests] : [])],
    });
  }
}
