import {
  type CryptoKey,
  createLocalJWKSet,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWK,
  type JWTHeaderParameters,
} from "jose";
import { isJsonObject, parseJsonObject } from "../../../contract/json.ts";
import type { TokenIssuer } from "../../../platform/config/read/read-tokens.ts";
import type { Upstream } from "../../../platform/transport/upstream.ts";

/** Times in milliseconds. */
export interface KeyTimes {
  /** How long keys are kept. */
  readonly ttl: number;
  /** How much longer they hold while the issuer does not answer. */
  readonly staleTtl: number;
}

type FindKey = ReturnType<typeof createLocalJWKSet>;

/** Keys that were fetched, and when. */
interface Fetched {
  readonly find: FindKey;
  readonly at: number;
}

/** Milliseconds that an issuer has for its answer. */
const FETCH_TIMEOUT = 4000;
/** Milliseconds within which unknown keys and failures cause no further fetch. */
const COOLDOWN = 10_000;
const MAX_BYTES = 512 * 1024;
const MAX_KEYS = 100;

/** Gets a JSON document. Rejects where there is none. */
export type GetDocument = (url: string) => Promise<unknown>;

/** The public keys of one issuer: fetched when the first token comes, kept for a time, fetched anew for unknown ids. */
export class IssuerKeys {
  readonly #issuer: TokenIssuer;
  readonly #get: GetDocument;
  readonly #times: KeyTimes;
  readonly #now: () => number;
  #fetched: Fetched | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(issuer: TokenIssuer, get: GetDocument, times: KeyTimes, now = () => performance.now()) {
    this.#issuer = issuer;
    this.#get = get;
    this.#times = times;
    this.#now = now;
  }

  /**
   * Looks a key up by the header of its token.
   * @throws Error where the issuer's keys are not known, or jose's `JWKSNoMatchingKey` where this one is not among them
   */
  async find(header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const age = this.#age();
    if (age > this.#times.ttl) await this.#refresh();
    if (this.#age() > this.#times.ttl + this.#times.staleTtl)
      throw new Error("the keys of the issuer are not known");
    const known = this.#fetched!;
    try {
      return await known.find(header, token);
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_JWKS_NO_MATCHING_KEY") throw error;
      await this.#refresh();
      if (this.#fetched === known) throw error;
      return this.#fetched!.find(header, token);
    }
  }

  #age(): number {
    return this.#fetched === undefined ? Number.POSITIVE_INFINITY : this.#now() - this.#fetched.at;
  }

  /** Asks the issuer, once for all who wait and not again for a while, whatever the answer was. */
  #refresh(): Promise<void> {
    if (this.#asking !== undefined) return this.#asking;
    if (this.#now() - this.#askedAt < Math.min(COOLDOWN, this.#times.ttl)) return Promise.resolve();
    this.#askedAt = this.#now();
    this.#asking = this.#fetch()
      .then((find) => {
        this.#fetched = { find, at: this.#now() };
      })
      .catch(() => {})
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  async #fetch(): Promise<FindKey> {
    const { issuer, keysUrl } = this.#issuer;
    let document = await this.#get(keysUrl);
    if (isJsonObject(document) && typeof document.jwks_uri === "string") {
      // RFC 8414, section 3.3: a document of somebody else must not speak for the issuer.
      if (issuer !== undefined && document.issuer !== issuer) throw new Error("another issuer's document");
      document = await this.#get(keysAddress(document.jwks_uri, keysUrl));
    }
    return createLocalJWKSet(usableKeys(document));
  }
}

/** @throws Error where a document that came over https leads to keys that would not */
function keysAddress(address: string, from: string): string {
  const url = new URL(address);
  const isPlain = url.protocol === "http:" && new URL(from).protocol === "http:";
  if (url.protocol !== "https:" && !isPlain) throw new Error("the keys do not stand at an https address");
  return url.href;
}

/** The public keys of a set that may sign: no secrets (`oct`), no private parts, none that encrypt. */
function usableKeys(document: unknown): JSONWebKeySet {
  if (!isJsonObject(document) || !Array.isArray(document.keys)) throw new Error("no set of keys");
  const keys = document.keys
    .slice(0, MAX_KEYS)
    .filter((key) => isJsonObject(key) && ["RSA", "EC", "OKP"].includes(String(key.kty)))
    .map(({ d: _, p: __, q: ___, ...key }) => key as JWK)
    .filter(({ use }) => use === undefined || use === "sig");
  return { keys };
}

/** Gets documents over the gateway's own way out: no redirects, a limit of time and of size. */
export function documentsOver(upstream: Upstream): GetDocument {
  return async (url) => {
    const response = await upstream.request({
      url,
      method: "GET",
      headers: { accept: "application/json", "accept-encoding": "identity" },
      timeouts: { whole: FETCH_TIMEOUT / 1000 },
    });
    if (response.status !== 200) {
      response.body.cancel();
      throw new Error(`status ${response.status}`);
    }
    return parseJsonObject((await response.body.bytes(MAX_BYTES)).toString());
  };
}
