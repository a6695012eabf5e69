import { forbidden, invalidRequest } from "../../contract/errors.ts";
import type { Route } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject, memberAt } from "../../contract/json.ts";
import { customerOf, type NamingRequest } from "../../contract/naming-request.ts";
import type { Principal, Restrictions } from "../../contract/principal.ts";
import { groupNamed, type RouteGroup } from "../../platform/config/options/route-groups.ts";
import { matchesWildcard } from "../../util/wildcard.ts";

/** A request as far as restrictions look at it. */
export interface RestrictedRequest {
  readonly route: Pick<Route, "path" | "method" | "callType" | "family" | "access">;
  /** As it was asked for. */
  readonly path: string;
}

const GROUPS: Readonly<Record<RouteGroup, (request: RestrictedRequest) => boolean>> = {
  llm_api_routes: ({ route }) => !isManagement(route),
  openai_routes: ({ route }) => !isManagement(route) && route.family === "openai",
  anthropic_routes: ({ route }) => route.family === "anthropic",
  google_routes: ({ route }) => route.family === "google",
  management_routes: ({ route }) => isManagement(route),
  info_routes: ({ route }) =>
    route.method === "GET" &&
    (isManagement(route) || /^\/(?:v1\/)?(?:models|health|agents)(?:\/|$)/.test(route.path)),
  spend_tracking_routes: ({ route }) => /^\/(?:global\/)?spend\//.test(route.path),
  global_spend_tracking_routes: ({ route }) => route.path.startsWith("/global/spend/"),
  public_routes: ({ route }) => route.access === "public",
};

/** Paths below which there is nothing but management. */
const MANAGEMENT =
  /^\/(?:v2\/)?(?:key|team|user|organization|customer|end_user|budget|tag|audit|spend|global|model|model_group|credentials|access_group|config|cache|scim|ui\/overview)(?:\/|$)/;

/** Whoever calls agents looks them up here; all else of it manages. */
const AGENTS = /^\/v1\/agents(?:\/|$)/;

function isManagement({ path, method, access }: RestrictedRequest["route"]): boolean {
  return access === "admin" || MANAGEMENT.test(path) || (method !== "GET" && AGENTS.test(path));
}

/** @throws GatewayError 403 for a path that the key, a level above it or the configuration does not allow */
export function requireRoute({ routes, refusedRoutes = [] }: Restrictions, request: RestrictedRequest): void {
  if (refusedRoutes.length > 0) {
    const spellings = spellingsOf(request.path).map((path) => ({ ...request, path }));
    if (refusedRoutes.some((entry) => spellings.some((spelling) => isMeant(entry, spelling))))
      throw forbidden(
        `${request.route.path} is for administrators: it is among the admin_only_routes of this gateway`,
      );
  }
  if (routes.every((list) => list.some((entry) => isMeant(entry, request)))) return;
  throw forbidden(`This api key may not ask for ${request.route.path}: it is not among its allowed_routes`);
}

/** Whether an entry of a list of routes means a request: its path, as LiteLLM or as this gateway writes it, or a group. */
function isMeant(entry: string, request: RestrictedRequest): boolean {
  const { path, route } = request;
  if (entry === path || unnamed(entry) === unnamed(route.path)) return true;
  const group = groupNamed(entry);
  return group === undefined ? matchesWildcard(entry, path) : GROUPS[group](request);
}

/** A path whose parameters have no names: `{id}`, `:id` and `*` are the same. */
function unnamed(path: string): string {
  return path.replaceAll(/\/(?:\{[^/{}]*\}|:\w+|\*)(?=\/|$)/g, "/{}");
}

/** A path and what the router and its parameters read it as, so that no spelling of a refused path passes. */
function spellingsOf(path: string): string[] {
  if (!path.includes("%")) return [path];
  const read = [decodeURI, decodeURIComponent].flatMap((decode) => {
    try {
      return [decode(path)];
    } catch {
      return [];
    }
  });
  return [path, ...read];
}

/**
 * @throws GatewayError 400 for a call without a field that the key or a level above it wants, 403 for what the key may
 * not say of the response cache
 */
export function requireParams(principal: Principal, request: NamingRequest): void {
  const { restrictions } = principal;
  if (restrictions === undefined) return;
  const { body } = request;
  const { params, cacheControls } = restrictions;
  if (cacheControls !== undefined) requireCacheControls(cacheControls, body);
  // Whatever else stands in `user` names nobody, so that no budget would hold the call; a header that names somebody does.
  const hasCustomer = () => (principal.named?.customer ?? customerOf(principal, request)) !== undefined;
  for (const param of params) {
    if (param === "user" ? !hasCustomer() : saysNothing(memberAt(body, param.split("."))))
      throw invalidRequest(`This api key's calls must have the field ${param} (enforced_params)`, param);
  }
}

/** What is there and empty names nobody, so that no budget would hold who has to be named. */
function saysNothing(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return (
    value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0)
  );
}

/**
 * The same for a request out of which the gateway makes calls of its own, in other words.
 * @param request as the caller sent it
 * @returns the principal of these calls, of which no field is asked again
 */
export function requireParamsOnce(principal: Principal, request: NamingRequest): Principal {
  if (principal.restrictions === undefined || principal.restrictions.params.length === 0) return principal;
  requireParams(principal, request);
  return withParamsGiven(principal);
}

/** The principal in whose request the fields stood that calls must have. */
export function withParamsGiven(principal: Principal): Principal {
  const { restrictions } = principal;
  if (restrictions === undefined || restrictions.params.length === 0) return principal;
  return { ...principal, restrictions: { ...restrictions, params: [] } };
}

function requireCacheControls(allowed: readonly string[], { cache, caching }: JsonObject): void {
  const said = isJsonObject(cache) ? Object.keys(cache) : [];
  // The other word for neither looking nor keeping.
  const both = caching === false ? ["no-cache", "no-store"] : [];
  const refused = [...said, ...both].find((control) => !allowed.includes(control));
  if (refused === undefined) return;
  const message = `This api key may not set the cache control ${refused}: it is not among its allowed_cache_controls`;
  throw forbidden(message, "cache");
}
