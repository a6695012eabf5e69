import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { ROLES, type Role } from "../../../contract/principal.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { Section } from "../document/sections.ts";
import { camelCase, type Settings } from "../options/option.ts";
import { claimOptions, issuerOptions, TOKEN_LISTS, tokenOptions } from "../options/token-options.ts";
import { readOptions, refuseUnknown } from "./read-options.ts";

/** Paths of claims. */
export type ClaimPaths = Settings<typeof claimOptions>;

/** Somebody whose tokens are accepted. */
export interface TokenIssuer {
  /** What `iss` must be; absent where whatever the keys sign is accepted (JWT_PUBLIC_KEY_URL without JWT_ISSUER). */
  readonly issuer: string | undefined;
  /** Address of the keys, or of a discovery document that names it. */
  readonly keysUrl: string;
  /** Absent where tokens for others are accepted too. */
  readonly audience: readonly string[] | undefined;
  readonly claims: ClaimPaths;
  /** Begins the ids that its tokens name; absent where it may name everybody. */
  readonly idPrefix?: string;
}

/** What a scope of a token allows. */
export interface ScopeMapping {
  readonly scope: string;
  readonly models: readonly string[] | undefined;
  readonly routes: readonly string[] | undefined;
}

/** Whose tokens are accepted as credentials, and what their claims mean. */
export interface TokenSettings extends Omit<Settings<typeof tokenOptions>, keyof ClaimPaths> {
  readonly issuers: readonly TokenIssuer[];
  /** Roles of tokens, wildcards allowed, with what they are here; the first that fits counts. */
  readonly roles: readonly { readonly role: string; readonly internalRole: Role }[];
  /** The same for the roles that users keep. */
  readonly userRoles: readonly { readonly role: string; readonly internalRole: Role }[];
  readonly scopes: readonly ScopeMapping[];
}

const ID_PREFIX = /^[\x21-\x7e]{1,64}$/;

/** A discovery document stands below its issuer (OpenID Connect Discovery 1.0, section 4). */
const DISCOVERY = "/.well-known/openid-configuration";

/** `litellm_jwtauth`; absent unless `enable_jwt_auth` is on. */
export function readTokens(
  document: ConfigDocument,
  { value, path }: Section,
  environment: Readonly<Record<string, string | undefined>>,
  isEnabled: boolean,
): TokenSettings | undefined {
  const here = [...path, "litellm_jwtauth"];
  const section = value.litellm_jwtauth ?? {};
  if (!isEnabled) {
    if (value.litellm_jwtauth != null)
      document.warn(here, "tokens are not accepted without `enable_jwt_auth: true`");
    return undefined;
  }
  if (!isJsonObject(section)) {
    document.error(here, "expected a map");
    return undefined;
  }
  const settings = readOptions(document, section, here, tokenOptions, Object.keys(section));
  refuseUnknown(document, section, here, [...Object.keys(tokenOptions), ...TOKEN_LISTS]);
  if ((settings.userRolesJwtField === undefined) !== (settings.userAllowedRoles === undefined))
    document.error(here, "user_roles_jwt_field and user_allowed_roles need each other");
  if (settings.objectIdJwtField !== undefined && section.role_mappings == null)
    document.error([...here, "object_id_jwt_field"], "needs role_mappings, which say whose id it is");
  if (section.scope_mappings != null && !settings.enforceScopeBasedAccess)
    document.error([...here, "scope_mappings"], "needs `enforce_scope_based_access: true`");
  for (const name of ["admin_allowed_routes", "team_allowed_routes", "user_allowed_roles"] as const)
    if ((settings[camelCase(name) as "adminAllowedRoutes"] as readonly string[] | undefined)?.length === 0)
      document.error([...here, name], "is empty; name what is allowed");
  const shared = claimsOf(settings);
  const issuers =
    section.issuers == null
      ? ofEnvironment(document, here, environment, shared)
      : listAt(document, section, here, "issuers").flatMap(([entry, at]) =>
          readIssuer(document, entry, at, shared),
        );
  const names = issuers.map(({ issuer }) => issuer);
  const twin = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twin !== -1) document.error([...here, "issuers", twin, "issuer"], "has an entry already");
  return {
    ...settings,
    issuers,
    roles: readRoles(document, section, here, "role_mappings", "role", "internal_role"),
    userRoles: readRoles(document, section, here, "jwt_litellm_role_map", "jwt_role", "litellm_role"),
    scopes: readScopes(document, section, here),
  };
}

export function claimsOf(settings: Partial<ClaimPaths>): ClaimPaths {
  const names = Object.keys(claimOptions).map((key) => camelCase(key) as keyof ClaimPaths);
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as unknown as ClaimPaths;
}

/** The one issuer that LiteLLM's variables of the environment name. */
function ofEnvironment(
  document: ConfigDocument,
  path: ConfigPath,
  {
    JWT_PUBLIC_KEY_URL: urls,
    JWT_AUDIENCE: audience,
    JWT_ISSUER: issuer,
  }: Readonly<Record<string, string | undefined>>,
  claims: ClaimPaths,
): TokenIssuer[] {
  const keysUrls = (urls ?? "")
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url !== "");
  if (keysUrls.length === 0) {
    document.error(path, "names no issuers; list them under `issuers`, or set JWT_PUBLIC_KEY_URL");
    return [];
  }
  if (keysUrls.length > 1)
    document.error(path, "JWT_PUBLIC_KEY_URL names several addresses; list the issuers under `issuers`");
  if (!audience) document.warn(path, "JWT_AUDIENCE is not set: tokens for any audience are accepted");
  if (!issuer) document.warn(path, "JWT_ISSUER is not set: the issuer of tokens is not compared");
  checkAddress(document, path, keysUrls[0]!);
  return [
    {
      issuer: issuer || undefined,
      keysUrl: keysUrls[0]!,
      audience: audience ? audience.split(",").map((one) => one.trim()) : undefined,
      claims,
    },
  ];
}

function readIssuer(
  document: ConfigDocument,
  entry: JsonObject,
  path: ConfigPath,
  shared: ClaimPaths,
): TokenIssuer[] {
  const settings = readOptions(document, entry, path, issuerOptions, Object.keys(entry));
  refuseUnknown(document, entry, path, Object.keys(issuerOptions));
  const { issuer, jwksUrl, audience, disableAudienceValidation, idPrefix } = settings;
  if (issuer === "") {
    document.error([...path, "issuer"], "is missing; give what `iss` must be");
    return [];
  }
  if (disableAudienceValidation === (audience !== undefined && audience.length > 0))
    document.error(
      [...path, "audience"],
      disableAudienceValidation
        ? "cannot be checked and not be checked; leave out disable_audience_validation"
        : "is missing; without it tokens that the issuer made for others are accepted (disable_audience_validation: true)",
    );
  const keysUrl = jwksUrl ?? `${issuer.replace(/\/$/, "")}${DISCOVERY}`;
  checkAddress(document, [...path, jwksUrl === undefined ? "issuer" : "jwks_url"], keysUrl);
  const own = Object.entries(claimsOf(settings)).filter(([, claim]) => claim !== undefined);
  const claims = { ...shared, ...Object.fromEntries(own) };
  if (idPrefix !== undefined && !ID_PREFIX.test(idPrefix))
    document.error([...path, "id_prefix"], "expected up to 64 characters without spaces, such as partner/");
  return [{ issuer, keysUrl, audience, claims, ...(idPrefix === undefined ? {} : { idPrefix }) }];
}

/** Whoever can change what comes from an address without TLS can make tokens for everybody. */
function checkAddress(document: ConfigDocument, path: ConfigPath, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.hash !== "")
    document.error(path, "expected an https address");
  else if (url.protocol === "http:" && !isLoopback(url.hostname))
    document.warn(path, "keys over http can be exchanged on their way; use https");
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export function readRoles(
  document: ConfigDocument,
  section: JsonObject,
  path: ConfigPath,
  name: string,
  from: string,
  to: string,
): TokenSettings["roles"] {
  return listAt(document, section, path, name).flatMap(([entry, at]) => {
    refuseUnknown(document, entry, at, [from, to]);
    const { [from]: role, [to]: internalRole } = entry;
    if (typeof role !== "string" || role === "")
      document.error([...at, from], "expected a role of the issuer");
    else if (!ROLES.includes(internalRole as Role))
      document.error([...at, to], `expected one of ${ROLES.join(", ")}`);
    else return [{ role, internalRole: internalRole as Role }];
    return [];
  });
}

function readScopes(document: ConfigDocument, section: JsonObject, path: ConfigPath): ScopeMapping[] {
  const listOf = (value: unknown, at: ConfigPath): readonly string[] | undefined => {
    if (value == null) return undefined;
    const isList =
      Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
    if (isList) return value as string[];
    document.error(at, "expected a list of texts; leave it out where everything is allowed");
    return [];
  };
  return listAt(document, section, path, "scope_mappings").flatMap(([entry, at]) => {
    refuseUnknown(document, entry, at, ["scope", "models", "routes"]);
    const { scope } = entry;
    if (typeof scope !== "string" || scope === "") {
      document.error([...at, "scope"], "expected a scope");
      return [];
    }
    const models = listOf(entry.models, [...at, "models"]);
    return [{ scope, models, routes: listOf(entry.routes, [...at, "routes"]) }];
  });
}

/** The maps in a list, with their places. */
function listAt(
  document: ConfigDocument,
  section: JsonObject,
  path: ConfigPath,
  name: string,
): [JsonObject, ConfigPath][] {
  const list = section[name];
  if (list == null) return [];
  if (!Array.isArray(list)) {
    document.error([...path, name], "expected a list");
    return [];
  }
  return list.flatMap((entry, index): [JsonObject, ConfigPath][] => {
    if (isJsonObject(entry)) return [[entry, [...path, name, index]]];
    document.error([...path, name, index], "expected a map");
    return [];
  });
}
