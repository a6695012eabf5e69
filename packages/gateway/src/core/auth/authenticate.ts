import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { forbidden, GatewayError } from "../../contract/errors.ts";
import { textsOf } from "../../contract/json.ts";
import { DIALECT_KEY_HEADERS, GATEWAY_KEY_HEADERS } from "../../contract/key-headers.ts";
import { allowsModel, MAX_KEY, type Named, type Principal, unsendable } from "../../contract/principal.ts";
import type { ConfiguredKeys } from "../../platform/config/configured-keys.ts";
import type { ConfigSource, ConfiguredKey, GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { TokenSettings } from "../../platform/config/read/read-tokens.ts";
import { sha256 } from "../../util/sha256.ts";
import { isOverHttps } from "../http/public-address.ts";
import { masterPrincipal } from "./master-principal.ts";
import { customerHeaders, nameCustomer } from "./request-scopes.ts";
import { rulesForAll } from "./rules-for-all.ts";
import { sessionIn } from "./session-cookie.ts";

/** A key as authentication needs it, wherever it is kept. */
export interface KnownKey extends ConfiguredKey {
  /** Why a level above it refuses its calls. */
  readonly refusedBy?: string | undefined;
  /** Of a session: by which rules its user signed in. */
  readonly signInRules?: string;
}

/** Finds keys by hash; the answer is at most a second old on every replica. */
export interface KeyLookup {
  find(keyHash: string): KnownKey | undefined | Promise<KnownKey | undefined>;
  /** The key, or what it became where it was renewed, also where its old text is no longer accepted. */
  successor(keyHash: string): Promise<KnownKey | undefined>;
  /** Something that is not kept in the store, once this replica knows what others have changed above keys. */
  whenFresh<T>(value: T): T | Promise<T>;
  /**
   * A principal under the customer and the tags that a request of it named.
   * @throws GatewayError 403 for a customer that is blocked
   */
  under(principal: Principal, named: Named): Promise<Principal>;
  /** A key of the file, under the user and the team that it names. */
  governed(key: ConfiguredKey): KnownKey | Promise<KnownKey>;
}

/** Admits callers with a token of an issuer (JWT) in place of a key. */
export interface TokenDoor {
  /** @throws GatewayError 401 for a token that does not hold */
  admit(token: string, headers: IncomingHttpHeaders): Promise<KnownKey>;
  /** Somebody whose token was admitted before, as what stands above is now. */
  readmit(remembered: Principal): Promise<KnownKey>;
}

/** Turns the key of a request into the principal it stands for. */
export class Authenticator {
  readonly #lookup: KeyLookup | undefined;
  readonly #fallbackMasterKey: string | undefined;
  readonly #hashes = new KeyHashes();
  #master!: Principal | undefined;
  #masterHash!: Buffer | undefined;
  #fileKeys!: ConfiguredKeys;
  /** Keys of the file that have called: each stays the same object. */
  #seen!: Map<string, ConfiguredKey>;
  #groups!: AccessGroups;
  #underRules: ((principal: Principal) => Principal) | undefined;
  #keyHeader: string | undefined;
  #signInRules: string | undefined;
  #customerHeaders: readonly string[] = [];
  readonly #isSecure: (headers: IncomingHttpHeaders) => boolean;
  readonly #openDoor: OpenTokenDoor | undefined;
  /** Absent where tokens are not accepted. */
  #door: (() => Promise<TokenDoor>) | undefined;
  #sessionOf: (headers: IncomingHttpHeaders) => string | undefined = () => undefined;

  /**
   * @param generatedMasterKey in force while the configuration names none
   * @param lookup of the keys in the store, where there is one
   * @param openDoor for tokens; called when the first one comes
   */
  constructor(
    config: ConfigSource,
    generatedMasterKey: string | undefined,
    lookup: KeyLookup | undefined,
    openDoor?: OpenTokenDoor,
  ) {
    this.#openDoor = openDoor;
    this.#isSecure = (headers) => isOverHttps(headers, config.current);
    this.#fallbackMasterKey = generatedMasterKey;
    this.#lookup = lookup;
    this.#load(config.current);
    config.subscribe((next) => this.#load(next));
  }

  /**
   * Who is calling. The customer whom a header of the operator's choice names stands in the headers from then on.
   * @param queryKey the key that Google's clients may put into the address
   * @throws GatewayError 401 when the request carries no key, or none that is known and valid; 403 for a blocked one
   */
  identify(headers: IncomingHttpHeaders, queryKey?: string): Principal | Promise<Principal> {
    if (this.#customerHeaders.length > 0) nameCustomer(headers, this.#customerHeaders);
    const extracted = extractKey(headers, this.#isSecure, this.#keyHeader, queryKey);
    if ("problem" in extracted) {
      const session = this.#sessionOf(headers);
      if (session === undefined) throw refused(extracted.problem);
      return this.#recallKey(session);
    }
    const { key } = extracted;
    if (this.#door !== undefined && looksLikeToken(key)) return this.#admitToken(key, headers, this.#door);
    if (key.length > MAX_KEY) throw refused("Malformed api key");
    const { hex, bytes } = this.#hashes.of(key);
    if (this.#masterHash !== undefined && timingSafeEqual(this.#masterHash, bytes))
      return this.#lookup === undefined ? this.#master! : this.#lookup.whenFresh(this.#master!);
    const fileKey = this.#fileKey(hex);
    if (fileKey !== undefined) return this.#admitFileKey(fileKey);
    const found = this.#lookup?.find(hex);
    return found instanceof Promise ? found.then((key) => this.#admit(key)) : this.#admit(found);
  }

  /**
   * A principal as its key is now, for work that goes on after the request was answered: under the customer and the tags
   * that the request named.
   * @throws GatewayError 401 when the key was deleted or has expired since, 403 when it or the customer was blocked
   */
  async recall(remembered: Principal): Promise<Principal> {
    const principal = await this.#recalled(remembered);
    if (remembered.named === undefined || this.#lookup === undefined) return principal;
    return this.#lookup.under(principal, remembered.named);
  }

  async #recalled(remembered: Principal): Promise<Principal> {
    if (remembered.token !== undefined) {
      if (this.#door === undefined) throw refused("Tokens are no longer accepted");
      return this.#admit(await (await this.#door()).readmit(remembered));
    }
    return this.#recallKey(remembered.keyHash, (keyHash) => this.#lookup?.successor(keyHash));
  }

  /**
   * From now on, requests without a key may come in a session.
   * @param keyOf the hash of the key that a session was begun with; undefined for a request without a session
   */
  acceptSessions(keyOf: (headers: IncomingHttpHeaders) => string | undefined): void {
    this.#sessionOf = keyOf;
  }

  /** @param find in the store; work goes on where a key was renewed, a session ends */
  async #recallKey(
    keyHash: string,
    find: (keyHash: string) => ReturnType<KeyLookup["find"]> = (hash) => this.#lookup?.find(hash),
  ): Promise<Principal> {
    if (keyHash === this.#master?.keyHash) return this.#lookup?.whenFresh(this.#master) ?? this.#master;
    const fileKey = this.#fileKey(keyHash);
    return fileKey === undefined ? this.#admit(await find(keyHash)) : this.#admitFileKey(fileKey);
  }

  #fileKey(keyHash: string): ConfiguredKey | undefined {
    const known = this.#seen.get(keyHash);
    if (known !== undefined || this.#fileKeys.size === 0) return known;
    const key = this.#fileKeys.find(keyHash);
    if (key !== undefined) this.#seen.set(keyHash, key);
    return key;
  }

  #admitFileKey(key: ConfiguredKey): Principal | Promise<Principal> {
    const { userId, teamId } = key.principal;
    if (this.#lookup === undefined) return this.#admit(key);
    if (userId === undefined && teamId === undefined) return this.#lookup.whenFresh(this.#admit(key));
    const governed = this.#lookup.governed(key);
    return governed instanceof Promise ? governed.then((known) => this.#admit(known)) : this.#admit(governed);
  }

  async #admitToken(
    token: string,
    headers: IncomingHttpHeaders,
    door: () => Promise<TokenDoor>,
  ): Promise<Principal> {
    if (token.length > MAX_TOKEN) throw refused("The token is too long");
    return this.#admit(await (await door()).admit(token, headers));
  }

  #admit(key: KnownKey | undefined): Principal {
    const admitted = this.#groups.expand(admit(key));
    // What a mapping of roles gave to a session is no more when another one is in force.
    if (key?.signInRules !== undefined && key.signInRules !== this.#signInRules)
      throw refused("The rules of signing in have changed; sign in again");
    return this.#underRules === undefined ? admitted : this.#underRules(admitted);
  }

  #load(config: GatewayConfig): void {
    const masterKey = config.generalSettings.masterKey ?? this.#fallbackMasterKey;
    const hash = masterKey === undefined ? undefined : keyHash(masterKey);
    this.#masterHash = hash?.bytes;
    this.#underRules = rulesForAll(config);
    const master = hash && masterPrincipal(hash.hex);
    this.#master = master && (this.#underRules?.(master) ?? master);
    this.#groups = new AccessGroups(config);
    this.#keyHeader = config.generalSettings.litellmKeyHeaderName?.toLowerCase();
    this.#customerHeaders = customerHeaders(config.generalSettings);
    const { tokens, sso } = config;
    this.#signInRules = sso?.rules;
    let opened: Promise<TokenDoor> | undefined;
    const open = this.#openDoor;
    this.#door =
      tokens === undefined || open === undefined
        ? undefined
        : () => {
            opened ??= open(tokens);
            return opened;
          };
    this.#fileKeys = config.keys;
    this.#seen = new Map();
  }
}

function admit(key: KnownKey | undefined): Principal {
  if (key === undefined) throw refused("Invalid api key: it is unknown to this gateway");
  if (key.expiresAt !== undefined && key.expiresAt <= Date.now()) throw refused("This api key has expired");
  if (key.blocked) throw blocked("This api key is blocked");
  if (key.refusedBy !== undefined) throw blocked(key.refusedBy);
  return key.principal;
}

function refused(reason: string): GatewayError {
  return new GatewayError(401, "authentication_error", `Authentication Error, ${reason}.`, {
    headers: { "www-authenticate": "Bearer" },
  });
}

function blocked(message: string): GatewayError {
  return forbidden(message);
}

const bearer = /^bearer /i;
const MAX_TOKEN = 12_288;

type OpenTokenDoor = (settings: TokenSettings) => Promise<TokenDoor>;

/** Whether a credential has the form of a signed token (RFC 7515, section 3.1), whose head begins with `{"`. */
function looksLikeToken(key: string): boolean {
  return key.startsWith("eyJ") && /^[\w-]+\.[\w-]*\.[\w-]*$/.test(key);
}

/** The gateway key that a request carries, or why there is none. */
type ExtractedKey = { readonly key: string } | { readonly problem: string };

/**
 * Finds the key in a header of the gateway's own, in `Authorization: Bearer`, or in the header of another dialect.
 * @param isSecure whether a browser reached the gateway over https
 * @param further a header that the configuration names, in small letters
 * @param queryKey the one in the address, which comes last
 */
function extractKey(
  headers: IncomingHttpHeaders,
  isSecure: (headers: IncomingHttpHeaders) => boolean,
  further?: string,
  queryKey?: string,
): ExtractedKey {
  for (const name of further === undefined ? GATEWAY_KEY_HEADERS : [further, ...GATEWAY_KEY_HEADERS]) {
    const value = headers[name];
    if (typeof value === "string") return checked(bearer.test(value) ? value.slice(7) : value);
  }
  const authorization = headers.authorization;
  if (authorization !== undefined && bearer.test(authorization)) return checked(authorization.slice(7));
  for (const name of DIALECT_KEY_HEADERS) {
    const value = headers[name];
    if (typeof value === "string") return checked(value);
  }
  if (queryKey !== undefined) return checked(queryKey);
  const session = headers.cookie === undefined ? undefined : sessionIn(headers, isSecure(headers));
  if (session !== undefined) return checked(session);
  if (authorization !== undefined)
    return { problem: "Malformed Authorization header: expected `Authorization: Bearer <API_KEY>`" };
  return { problem: "No api key passed in: send it as `Authorization: Bearer <API_KEY>`" };
}

function checked(text: string): ExtractedKey {
  const key = text.trim();
  if (key === "") return { problem: "The api key is empty" };
  if (unsendable.test(key)) return { problem: "Malformed api key" };
  return { key };
}

/** A key's hash in hex, and the same as bytes for comparisons in constant time. */
interface KeyHash {
  readonly hex: string;
  readonly bytes: Buffer;
}

/** Keys remembered, wrong ones that somebody tries included; then all are forgotten. */
const MAX_REMEMBERED = 1000;

/** The hashes of the keys that are in use: one who calls often has its key hashed once. */
class KeyHashes {
  readonly #remembered = new Map<string, KeyHash>();

  of(key: string): KeyHash {
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const hash = keyHash(key);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, hash);
    return hash;
  }
}

/** Hashes a key. */
function keyHash(key: string): KeyHash {
  const hex = sha256(key);
  return { hex, bytes: Buffer.from(hex) };
}

/**
 * What else a key's list of models allows. LiteLLM's model access groups: `model_info.access_groups` puts a deployment
 * into groups, and a group's name in the list stands for the models in it. And a name of `model_group_alias` is allowed
 * where the model is that it leads to.
 */
class AccessGroups {
  /** Aliases that no model's own name hides, with what they lead to. */
  readonly #aliases: readonly (readonly [alias: string, model: string])[];
  /** Names of models by group. */
  readonly #models = new Map<string, Set<string>>();
  /** A key's principal stays the same object in all its requests. */
  readonly #expanded = new WeakMap<Principal, Principal>();

  constructor({ deployments, routerSettings }: Pick<GatewayConfig, "deployments" | "routerSettings">) {
    const hidden = new Set<string>();
    const { modelGroupAlias } = routerSettings;
    // Thousands of names that were never looked for take milliseconds to be.
    const hasAliases = Object.keys(modelGroupAlias).length > 0;
    for (const { modelName, info } of deployments) {
      if (hasAliases && Object.hasOwn(modelGroupAlias, modelName)) hidden.add(modelName);
      for (const group of textsOf(info.access_groups)) {
        const models = this.#models.get(group);
        if (models === undefined) this.#models.set(group, new Set([modelName]));
        else models.add(modelName);
      }
    }
    this.#aliases = Object.entries(modelGroupAlias).filter(([alias]) => !hidden.has(alias));
  }

  /** The principal with the models of its groups and their aliases beside those that it names itself. */
  expand(principal: Principal): Principal {
    const { models, modelLists } = principal;
    if (!this.#saysMore(models) && !modelLists?.some((list) => this.#saysMore(list))) return principal;
    let expanded = this.#expanded.get(principal);
    if (expanded === undefined) {
      const lists = modelLists && { modelLists: modelLists.map((list) => this.#withModels(list)) };
      expanded = { ...principal, models: this.#withModels(models), ...lists };
      this.#expanded.set(principal, expanded);
    }
    return expanded;
  }

  #saysMore(models: readonly string[]): boolean {
    if (models.length === 0) return false;
    return this.#aliases.length > 0 || models.some((name) => this.#models.has(name));
  }

  #withModels(models: readonly string[]): readonly string[] {
    const named = models.flatMap((name) => [name, ...(this.#models.get(name) ?? [])]);
    const aliases = this.#aliases.filter(([, model]) => allowsModel(named, model)).map(([alias]) => alias);
    return [...named, ...aliases];
  }
}
