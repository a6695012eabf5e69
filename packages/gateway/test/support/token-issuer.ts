import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** An issuer of tokens that a test steers. */
export interface TokenIssuer {
  readonly url: string;
  /** How often its keys were asked for. */
  readonly fetches: () => number;
  /** What it answers in place of its keys. */
  answer: ((response: ServerResponse) => void) | undefined;
  /** Further members of its set of keys. */
  extra: object[];
  /** Signs from now on with a new key; the old ones stay in the set unless they are withdrawn. */
  rotate(withdraw?: boolean): Promise<void>;
  /** A code with which somebody comes back from signing in; the gateway gets an ID token with the claims for it. */
  codeFor(claims: object): string;
  /** A token for audience `portico`, which holds for five minutes unless the claims say otherwise. */
  token(claims: object, options?: SignOptions): Promise<string>;
  close(): Promise<void>;
}

interface SignOptions {
  /** Signs with this key in place of the issuer's. */
  readonly key?: CryptoKey | Uint8Array;
  readonly header?: object;
}

/** Seconds since the epoch. */
export const now = (): number => Math.floor(Date.now() / 1000);

export async function startTokenIssuer(): Promise<TokenIssuer> {
  let keys: JWK[] = [];
  let current!: { readonly kid: string; readonly key: CryptoKey };
  let made = 0;
  let fetches = 0;
  const server = createServer((request, response) => {
    const { url } = issuer;
    if (request.url === "/.well-known/openid-configuration") {
      const authorization_endpoint = `${url}/authorize`;
      const endpoints = { authorization_endpoint, token_endpoint: `${url}/token`, jwks_uri: `${url}/jwks` };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ issuer: url, ...endpoints, id_token_signing_alg_values_supported: ["ES256"] }),
      );
      return;
    }
    if (request.url === "/token") {
      void answerCode(request, response);
      return;
    }
    fetches++;
    if (issuer.answer !== undefined) issuer.answer(response);
    else response.end(JSON.stringify({ keys: [...keys, ...issuer.extra] }));
  });
  const claimsOf = new Map<string, object>();
  const answerCode = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const claims = claimsOf.get(new URLSearchParams(await text(request)).get("code") ?? "");
    if (claims === undefined) {
      response.writeHead(400).end();
      return;
    }
    const id_token = await issuer.token(claims);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: "any", token_type: "bearer", id_token }));
  };
  const rotate = async (withdraw = false): Promise<void> => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    made++;
    current = { kid: `key-${made}`, key: privateKey };
    const jwk = { ...(await exportJWK(publicKey)), kid: current.kid, alg: "ES256", use: "sig" };
    keys = withdraw ? [jwk] : [...keys, jwk];
  };
  await rotate();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer: TokenIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetches: () => fetches,
    answer: undefined,
    extra: [],
    rotate,
    codeFor: (claims) => {
      const code = randomUUID();
      claimsOf.set(code, claims);
      return code;
    },
    token: (claims, { key = current.key, header = {} } = {}) => {
      const usual = { iss: issuer.url, aud: "portico", iat: now(), exp: now() + 300 };
      const head = { alg: "ES256", kid: current.kid, ...header };
      return new SignJWT(JSON.parse(JSON.stringify({ ...usual, ...claims })))
        .setProtectedHeader(head)
        .sign(key);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return issuer;
}
