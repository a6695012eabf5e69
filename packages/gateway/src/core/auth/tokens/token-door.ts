import type { IncomingHttpHeaders } from "node:http";
import { forbidden, GatewayError } from "../../../contract/errors.ts";
import { defined } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { TokenSettings } from "../../../platform/config/read/read-tokens.ts";
import type { Upstream } from "../../../platform/transport/upstream.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { KnownKey, TokenDoor } from "../authenticate.ts";
import type { KeyManagement } from "../management/key-management.ts";
import { underLevels } from "../records/levels.ts";
import { type Identity, identityOf } from "./claims.ts";
import { documentsOver, IssuerKeys } from "./issuer-keys.ts";
import { Provisioning } from "./provisioning.ts";
import { type KnownIssuer, TokenProblem, verifyToken } from "./verify-token.ts";

/** Identities remembered, so that what stands above them is read once for all calls of each. */
const MAX_IDENTITIES = 10_000;

/** Headers that choose among the teams of a token. */
const TEAM_HEADERS = ["x-portico-team-id", "x-litellm-team-id"] as const;

/** A caller as what stands above it is looked up. */
interface Caller {
  resolve(): Promise<KnownKey>;
}

/** Admits whoever brings a token of a listed issuer: as users and teams of the gateway, with all that holds for these. */
export class IssuedTokens implements TokenDoor {
  readonly #settings: TokenSettings;
  readonly #issuers: readonly KnownIssuer[];
  readonly #parts: KeyManagement | undefined;
  readonly #callers = new Map<string, Caller>();

  /** @param parts absent without a persistent store: claims alone count then */
  constructor(settings: TokenSettings, upstream: Upstream, parts: KeyManagement | undefined) {
    this.#settings = settings;
    this.#parts = parts;
    const times = { ttl: settings.publicKeyTtl * 1000, staleTtl: settings.publicKeyStaleTtl * 1000 };
    const get = documentsOver(upstream);
    this.#issuers = settings.issuers.map((issuer) => ({ issuer, keys: new IssuerKeys(issuer, get, times) }));
  }

  async admit(token: string, headers: IncomingHttpHeaders): Promise<KnownKey> {
    try {
      const verified = await verifyToken(token, this.#issuers, this.#settings.clockSkew);
      return await this.#known(withTeamOf(headers, identityOf(verified, this.#settings)));
    } catch (error) {
      if (error instanceof TokenProblem) throw invalidToken(error.message);
      throw error;
    }
  }

  async readmit(remembered: Principal): Promise<KnownKey> {
    const { token, userId, teamId, organizationId } = remembered;
    const { issuer, role, models, routes } = token!;
    if (!this.#settings.issuers.some((each) => each.issuer === undefined || each.issuer === issuer))
      throw invalidToken("The issuer of the token is no longer accepted");
    const base = {
      ...basisOf({ userId, teamId, organizationId, issuer, role, models, routes }, remembered.keyHash),
    };
    const key = { principal: { ...base, ...defined({ customerId: remembered.customerId }) }, ...UNENDING };
    if (this.#parts === undefined) return key;
    const levels = await this.#parts.entitiesOfCalls.levelsOf({ userId, teamId, organizationId });
    const known = underLevels(key, { allowed_routes: routes ? [...routes] : undefined } as never, levels);
    const isGone =
      role !== "proxy_admin" &&
      ((userId !== undefined && levels.user === undefined) ||
        (teamId !== undefined && levels.team === undefined));
    return isGone ? { ...known, refusedBy: "The user or the team of this token is gone" } : known;
  }

  #known(identity: Identity): Promise<KnownKey> {
    const parts = this.#parts;
    if (parts === undefined) return Promise.resolve(this.#keyOf(identity, identity.teamIds[0]));
    const name = JSON.stringify(identity);
    let caller = this.#callers.get(name);
    if (caller === undefined) {
      if (this.#callers.size >= MAX_IDENTITIES) this.#callers.clear();
      caller = { resolve: () => this.#resolve(identity, parts) };
      this.#callers.set(name, caller);
    }
    return parts.remembered.signedIn(caller);
  }

  async #resolve(identity: Identity, parts: KeyManagement): Promise<KnownKey> {
    const found = await new Provisioning(parts, this.#settings).find(identity);
    const { refusedBy, teamId, organizationId } = found;
    const key = this.#keyOf({ ...identity, organizationId }, teamId);
    const levels = await parts.entitiesOfCalls.levelsOf({ userId: identity.userId, teamId, organizationId });
    const known = underLevels(key, { allowed_routes: identity.routes } as never, levels);
    return refusedBy === undefined ? known : { ...known, refusedBy };
  }

  #keyOf(identity: Identity, teamId: string | undefined): KnownKey {
    const { issuer, subject, userId, organizationId, role, models = [], routes, customerId } = identity;
    // No key that anybody can send has this hash, because keys have no spaces.
    const hash = sha256(`token ${JSON.stringify([issuer, subject, userId, teamId])}`);
    const basis = basisOf({ userId, teamId, organizationId, issuer, role, models, routes }, hash);
    const restrictions = routes && { restrictions: { routes: [routes], addresses: [], params: [] } };
    return { principal: { ...basis, ...restrictions, ...defined({ customerId }) }, ...UNENDING };
  }
}

/** The token has an end of its own, which was looked at. */
const UNENDING = { expiresAt: undefined, blocked: false };

/** What a caller has before anything stands above it. */
interface Basis {
  readonly userId: string | undefined;
  readonly teamId: string | undefined;
  readonly organizationId: string | undefined;
  readonly issuer: string;
  readonly role: Principal["role"];
  readonly models: readonly string[];
  readonly routes: readonly string[] | undefined;
}

function basisOf(
  { userId, teamId, organizationId, issuer, role, models, routes }: Basis,
  keyHash: string,
): Principal {
  return {
    keyHash,
    keyAlias: undefined,
    userId,
    role,
    teamId,
    metadata: {},
    teamMetadata: {},
    allowedModelRegion: undefined,
    models,
    limits: {},
    isMaster: false,
    token: { issuer, role, models, ...defined({ routes }) },
    ...defined({ organizationId }),
  };
}

/** The team that a header chooses. @throws TokenProblem for one that is not among the token's */
function withTeamOf(headers: IncomingHttpHeaders, identity: Identity): Identity {
  const wanted = TEAM_HEADERS.map((name) => headers[name]).find((value) => typeof value === "string");
  if (wanted === undefined) return identity;
  if (!identity.teamIds.includes(wanted as string))
    throw forbidden("The team that the header names is none of the token's");
  return { ...identity, teamIds: [wanted as string], teamAlias: undefined };
}

function invalidToken(message: string): GatewayError {
  return new GatewayError(401, "authentication_error", `Authentication Error, ${message}.`, {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });
}
