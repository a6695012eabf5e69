import { isJsonObject } from "../../../contract/json.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { Section } from "../document/sections.ts";
import { ssoOptions } from "../options/sso-options.ts";
import { tokenOptions } from "../options/token-options.ts";
import { readOptions, refuseUnknown } from "./read-options.ts";
import { claimsOf, isLoopback, readRoles, type TokenSettings } from "./read-tokens.ts";

/** Where people sign in. */
export interface SsoSettings {
  readonly provider: SsoProvider;
  readonly clientId: string;
  /** Absent for public clients. */
  readonly clientSecret: string | undefined;
  readonly scope: string;
  readonly sessionHours: number;
  /** What the claims of who signed in mean. */
  readonly claims: TokenSettings;
  /** Names who is let in and as what: sessions that began under another one have ended. */
  readonly rules: string;
}

/** An issuer of OpenID Connect, or the addresses of a provider with OAuth alone. */
export type SsoProvider =
  | { readonly issuer: string }
  | {
      readonly issuer: undefined;
      readonly authorizationEndpoint: string;
      readonly tokenEndpoint: string;
      readonly userinfoEndpoint: string;
    };

/** `general_settings.sso`, and LiteLLM's variables where it leaves something out; absent without a client's id. */
export function readSso(
  document: ConfigDocument,
  { value, path }: Section,
  environment: Readonly<Record<string, string | undefined>>,
): SsoSettings | undefined {
  const here = [...path, "sso"];
  const section = value.sso ?? {};
  if (!isJsonObject(section)) return undefined;
  const given = { ...ofEnvironment(environment), ...section };
  const settings = readOptions(document, given, here, ssoOptions, Object.keys(given));
  refuseUnknown(document, section, here, [...Object.keys(ssoOptions), ...LISTS]);
  const { issuer, clientId, clientSecret } = settings;
  if (clientId === undefined) {
    if (value.sso != null)
      document.error([...here, "client_id"], "is missing; the issuer knows the gateway by it");
    return undefined;
  }
  const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint } = settings;
  const addresses =
    issuer === undefined ? { authorizationEndpoint, tokenEndpoint, userinfoEndpoint } : { issuer };
  for (const address of Object.values(addresses)) {
    if (address !== undefined) requireAddress(document, here, address);
    else {
      const message = "needs an issuer, or authorization_endpoint, token_endpoint and userinfo_endpoint";
      if (value.sso == null) document.warn(path, `signing in is off: it ${message}`);
      else document.error(here, message);
      return undefined;
    }
  }
  const paths = claimsOf(settings);
  const isOpenId = issuer !== undefined;
  if (isOpenId && !settings.scope.split(" ").includes("openid"))
    document.error([...here, "scope"], "must have openid");
  const keysUrl = issuer ?? tokenEndpoint!;
  const claims: TokenSettings = {
    ...readOptions(document, {}, here, tokenOptions),
    ...settings,
    syncUserRoleAndTeams: settings.syncUserRoleAndTeams ?? paths.teamIdsJwtField !== undefined,
    issuers: [
      {
        issuer,
        keysUrl,
        audience: [clientId],
        claims: { ...paths, userIdJwtField: paths.userIdJwtField ?? "sub" },
      },
    ],
    roles: readRoles(document, section, here, "role_mappings", "role", "internal_role"),
    userRoles: readRoles(document, section, here, "jwt_litellm_role_map", "jwt_role", "litellm_role"),
    scopes: [],
  };
  return {
    provider: isOpenId ? { issuer } : ({ ...addresses, issuer } as SsoProvider),
    clientId,
    clientSecret: clientSecret || undefined,
    scope: settings.scope,
    sessionHours: settings.sessionHours,
    claims,
    rules: sha256(JSON.stringify({ ...claims, clientSecret: undefined, sessionHours: undefined })),
  };
}

/** The gateway's secret and people's codes go there. */
function requireAddress(document: ConfigDocument, path: ConfigPath, address: string): void {
  const url = URL.parse(address);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!isSafe) document.error(path, `${address} is no https address`);
}

const LISTS = ["role_mappings", "jwt_litellm_role_map"];

/** LiteLLM's variables for a provider of any kind, Microsoft's and Google's. */
function ofEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const of = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([key, name]) => {
        const value = environment[name];
        return value === undefined || value === "" ? [] : [[key, value]];
      }),
    );
  const { GENERIC_CLIENT_ID, MICROSOFT_CLIENT_ID, MICROSOFT_TENANT = "", GOOGLE_CLIENT_ID } = environment;
  if (GENERIC_CLIENT_ID) return of(GENERIC);
  if (MICROSOFT_CLIENT_ID)
    return {
      ...of({ client_id: "MICROSOFT_CLIENT_ID", client_secret: "MICROSOFT_CLIENT_SECRET" }),
      issuer: `https://login.microsoftonline.com/${encodeURIComponent(MICROSOFT_TENANT)}/v2.0`,
      user_id_jwt_field: "oid",
      user_email_jwt_field: "email",
    };
  if (GOOGLE_CLIENT_ID)
    return {
      ...of({ client_id: "GOOGLE_CLIENT_ID", client_secret: "GOOGLE_CLIENT_SECRET" }),
      issuer: "https://accounts.google.com",
      user_email_jwt_field: "email",
    };
  return {};
}

const GENERIC = {
  client_id: "GENERIC_CLIENT_ID",
  client_secret: "GENERIC_CLIENT_SECRET",
  issuer: "GENERIC_ISSUER",
  authorization_endpoint: "GENERIC_AUTHORIZATION_ENDPOINT",
  token_endpoint: "GENERIC_TOKEN_ENDPOINT",
  userinfo_endpoint: "GENERIC_USERINFO_ENDPOINT",
  scope: "GENERIC_SCOPE",
  user_id_jwt_field: "GENERIC_USER_ID_ATTRIBUTE",
  user_email_jwt_field: "GENERIC_USER_EMAIL_ATTRIBUTE",
};
