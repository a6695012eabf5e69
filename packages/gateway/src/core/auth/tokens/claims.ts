import { type JsonObject, memberAt } from "../../../contract/json.ts";
import type { Role } from "../../../contract/principal.ts";
import type { ClaimPaths, TokenSettings } from "../../../platform/config/read/read-tokens.ts";
import { matchesWildcard } from "../../../util/wildcard.ts";
import { MASTER_USER } from "../master-principal.ts";
import { ADMINISTRATORS } from "../roles.ts";
import { TokenProblem, type VerifiedToken } from "./verify-token.ts";

/** Whom a token stands for, by its claims alone. */
export interface Identity {
  /** Who vouches for it, and the name there. */
  readonly issuer: string;
  readonly subject: string | undefined;
  readonly userId: string | undefined;
  readonly email: string | undefined;
  /** Teams by id, in the token's order. */
  readonly teamIds: readonly string[];
  readonly teamAlias: string | undefined;
  readonly organizationId: string | undefined;
  readonly customerId: string | undefined;
  readonly role: Role;
  /** The role that the user keeps. */
  readonly userRole: Role | undefined;
  /** Absent where the token restricts none. */
  readonly models: readonly string[] | undefined;
  readonly routes: readonly string[] | undefined;
}

/** Characters of an id, as everywhere else. */
const MAX_TEXT = 256;
const MAX_VALUES = 200;

/**
 * What the claims of a token say.
 * @throws TokenProblem where they lack what the settings want
 */
export function identityOf({ claims, issuer }: VerifiedToken, settings: TokenSettings): Identity {
  const { claims: paths, idPrefix = "" } = issuer;
  const isTrusted = idPrefix === "";
  const own = (id: string): string => idOf(idPrefix, id);
  const ownAt = (path: string | undefined): string | undefined => valuesAt(claims, path).map(own)[0];
  const named = textAt(claims, paths.userEmailJwtField);
  const email = isUnverified(named, claims) ? undefined : named;
  requireRoleOf(claims, settings);
  requireDomain(email, settings);
  const scopes = valuesIn(claims.scope, " ");
  const isAdmin = scopes.includes(settings.adminJwtScope);
  const mapped = roleIn(settings.roles, claims, settings);
  const role = isAdmin ? "proxy_admin" : mapped;
  const userRole = roleIn(settings.userRoles, claims, settings);
  // They have rights over everybody, whose ids such an issuer may not even name.
  if (!isTrusted && [role, userRole].some((one) => one !== undefined && ADMINISTRATORS.includes(one)))
    throw new TokenProblem("The token's issuer makes no administrators");
  const object = textAt(claims, settings.objectIdJwtField);
  const isTeam = role === "team";
  const said = (isTeam ? undefined : object) ?? textAt(claims, userPath(paths, settings));
  const userId = said === undefined ? undefined : own(said);
  if (isUnverified(said, claims))
    throw new TokenProblem("The token's user has an address that is not verified");
  // What the master key made is that user's: people may choose their names at many issuers.
  if (userId === MASTER_USER) throw new TokenProblem("The token names the master key's own user");
  const teamIds = [
    ...(isTeam && object !== undefined ? [object] : []),
    ...valuesAt(claims, paths.teamIdJwtField).slice(0, 1),
    ...valuesAt(claims, paths.teamIdsJwtField),
  ].map(own);
  const teamAlias = ownAt(paths.teamAliasJwtField);
  const namesTeam = teamIds.length > 0 || teamAlias !== undefined;
  if (userId === undefined && !namesTeam && role === undefined && settings.teamIdDefault === undefined)
    throw new TokenProblem("The token names neither a user nor a team");
  const allowed = isAdmin ? undefined : scopesOf(scopes, settings);
  const ofTeam = userId === undefined && role !== "proxy_admin" ? settings.teamAllowedRoutes : undefined;
  return {
    issuer: claims.iss ?? "",
    subject: typeof claims.sub === "string" ? claims.sub.slice(0, MAX_TEXT) : undefined,
    userId,
    // It would lead to whoever is put somewhere by that address.
    email: isTrusted ? email : undefined,
    teamIds: [
      ...new Set(namesTeam || settings.teamIdDefault === undefined ? teamIds : [settings.teamIdDefault]),
    ],
    teamAlias,
    organizationId: ownAt(paths.orgIdJwtField),
    customerId: ownAt(paths.endUserIdJwtField),
    role: role ?? "internal_user",
    userRole,
    models: allowed?.models,
    routes: isAdmin ? settings.adminAllowedRoutes : (allowed?.routes ?? ofTeam),
  };
}

/** @throws TokenProblem for an id that is too long with its issuer's prefix */
function idOf(prefix: string, id: string): string {
  if (prefix.length + id.length > MAX_TEXT)
    throw new TokenProblem("A claim of the token is none of the ids that the gateway takes");
  return prefix + id;
}

/** An address that its issuer says nobody has shown to be theirs (OpenID Connect Core, section 5.1) names nobody. */
function isUnverified(text: string | undefined, { email, email_verified: verified }: JsonObject): boolean {
  return text !== undefined && text === email && (verified === false || verified === "false");
}

/** Where nothing else names anybody, the subject is the user (RFC 7519, section 4.1.2). */
function userPath(paths: ClaimPaths, { objectIdJwtField }: TokenSettings): string | undefined {
  const { userIdJwtField: user, teamIdJwtField, teamIdsJwtField, teamAliasJwtField } = paths;
  const others = [teamIdJwtField, teamIdsJwtField, teamAliasJwtField, objectIdJwtField];
  return user ?? (others.every((each) => each === undefined) ? "sub" : undefined);
}

function roleIn(
  mappings: TokenSettings["roles"],
  claims: JsonObject,
  { rolesJwtField }: TokenSettings,
): Role | undefined {
  const roles = valuesAt(claims, rolesJwtField);
  return mappings.find(({ role }) => roles.some((one) => matchesWildcard(role, one)))?.internalRole;
}

function requireRoleOf(claims: JsonObject, settings: TokenSettings): void {
  const { userRolesJwtField: path, userAllowedRoles: allowed } = settings;
  if (path === undefined || allowed === undefined) return;
  if (!valuesAt(claims, path).some((role) => allowed.includes(role)))
    throw new TokenProblem("The token has none of the roles that are allowed here");
}

function requireDomain(email: string | undefined, { userAllowedEmailDomain: domain }: TokenSettings): void {
  if (domain === undefined) return;
  if (email?.toLowerCase().endsWith(`@${domain.toLowerCase().replace(/^@/, "")}`) !== true)
    throw new TokenProblem("The token's user has no address of the domain that is allowed here");
}

/** What the scopes of a token allow together. */
function scopesOf(scopes: readonly string[], settings: TokenSettings) {
  if (!settings.enforceScopeBasedAccess) return undefined;
  const granted = settings.scopes.filter(({ scope }) => scopes.includes(scope));
  if (granted.length === 0) throw new TokenProblem("The token has none of the scopes that are allowed here");
  const together = (name: "models" | "routes") =>
    granted.some((each) => each[name] === undefined)
      ? undefined
      : [...new Set(granted.flatMap((each) => each[name]!))];
  return { models: together("models"), routes: together("routes") };
}

/** The member of the claims at a path: by the whole name, else by its parts between dots. */
function claimAt(claims: JsonObject, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  return Object.hasOwn(claims, path) ? claims[path] : memberAt(claims, path.split("."));
}

/** @throws TokenProblem for what cannot be an id */
function textAt(claims: JsonObject, path: string | undefined): string | undefined {
  return valuesAt(claims, path)[0];
}

/** @throws TokenProblem for values that cannot be ids, and for too many of them */
function valuesAt(claims: JsonObject, path: string | undefined): string[] {
  return valuesIn(claimAt(claims, path));
}

function valuesIn(value: unknown, separator?: string): string[] {
  if (value === undefined || value === null) return [];
  const split = typeof value === "string" && separator !== undefined ? value.split(separator) : value;
  const list = Array.isArray(split) ? split : [split];
  const texts = list
    .map((item) => (typeof item === "number" ? String(item) : item))
    .filter((item) => item !== "");
  if (texts.length > MAX_VALUES) throw new TokenProblem("A claim of the token has too many values");
  for (const text of texts)
    if (typeof text !== "string" || text.length > MAX_TEXT || /\p{Cc}/u.test(text) || !text.isWellFormed())
      throw new TokenProblem("A claim of the token is none of the ids that the gateway takes");
  return texts as string[];
}
