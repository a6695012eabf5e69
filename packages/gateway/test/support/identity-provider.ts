import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import Provider from "oidc-provider";

/** The package `oidc-provider` with people who belong to groups. */
export interface IdentityProvider {
  readonly url: string;
  /** Groups of each person by id. */
  readonly groups: Map<string, readonly string[]>;
  /** Begins to serve, once the gateway's address is known. */
  serve(gateway: string): Promise<void>;
  /** Signs with a new key from now on, and no longer has the old one. */
  rotate(): Promise<void>;
  /** A token of a workload for audience `https://portico.example`. */
  token(): Promise<string>;
  close(): Promise<void>;
}

export const CLIENT_SECRET = "a-secret-of-the-gateway-at-its-provider";
const AUDIENCE = "https://portico.example";

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const groups = new Map<string, readonly string[]>();
  let listener: RequestListener = (_, response) => response.writeHead(503).end();
  let gateway = "";
  let made = 0;
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rotate = async (): Promise<void> => {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: `key-${++made}`, alg: "RS256", use: "sig" };
    listener = provider(url, gateway, jwk, groups).callback();
  };
  return {
    url,
    groups,
    rotate,
    serve: async (address) => {
      gateway = address;
      await rotate();
    },
    token: async () => {
      const body = new URLSearchParams({
        grant_type: "client_credentials",
        client_id: "workload",
        client_secret: CLIENT_SECRET,
        resource: AUDIENCE,
      });
      const answer = await fetch(`${url}/token`, { method: "POST", body });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function provider(
  url: string,
  gateway: string,
  jwk: JWK,
  groups: ReadonlyMap<string, readonly string[]>,
): Provider {
  return new Provider(url, {
    jwks: { keys: [jwk] },
    cookies: { keys: ["of the tests"] },
    clients: [
      {
        client_id: "portico",
        client_secret: CLIENT_SECRET,
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: [`${gateway}/sso/callback`],
      },
      {
        client_id: "workload",
        client_secret: CLIENT_SECRET,
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [],
      },
    ],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    scopes: ["openid", "email", "groups"],
    claims: { openid: ["sub"], email: ["email"], groups: ["groups"] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, groups: groups.get(id) ?? [] }),
    }),
    features: {
      devInteractions: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: "call",
          audience: AUDIENCE,
          accessTokenTTL: 300,
          accessTokenFormat: "jwt",
        }),
      },
    },
  });
}

/** A browser as far as redirects, cookies and the provider's forms go. */
export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();
  /** Every address that it was at. */
  readonly visited: string[] = [];

  /** Follows redirects, signs in as somebody and consents, until a page stands still or `stopsAt` matches. */
  async signIn(address: string, as: string, stopsAt = /^$/): Promise<{ url: string; response: Response }> {
    let url = address;
    let response = await this.get(url);
    for (let step = 0; step < 25; step++) {
      const location = response.headers.get("location");
      if (location !== null) {
        url = new URL(location, url).href;
        if (stopsAt.test(url)) return { url, response };
        response = await this.get(url);
        continue;
      }
      const question = /\/sso\/callback/.test(url) ? await response.clone().text() : "";
      const ticket = /name="ticket" value="([^"]+)"/.exec(question)?.[1];
      if (ticket !== undefined) {
        url = new URL("/sso/cli/confirm", url).href;
        response = await this.get(url, {
          method: "POST",
          body: new URLSearchParams({ ticket, answer: "approve" }),
        });
        continue;
      }
      const form = /\/interaction\//.test(url) ? await response.clone().text() : "";
      const prompt = /name="prompt" value="(\w+)"/.exec(form)?.[1];
      if (prompt === undefined) return { url, response };
      const fields = prompt === "login" ? { prompt, login: as, password: "any" } : { prompt };
      response = await this.get(url, { method: "POST", body: new URLSearchParams(fields) });
    }
    throw new Error(`the sign-in did not end: ${this.visited.join(" ")}`);
  }

  async get(url: string, init: RequestInit = {}): Promise<Response> {
    this.visited.push(url);
    const { host } = new URL(url);
    const jar = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === "" ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const at = pair.indexOf("=");
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(new URL(url).host)?.get(name);
  }

  setCookie(url: string, name: string, value: string): void {
    this.#cookies.get(new URL(url).host)?.set(name, value);
  }
}
