import { forbidden, type GatewayError } from "../../contract/errors.ts";
import { isBoundToModels, type Principal } from "../../contract/principal.ts";
import { isAdministrator } from "../../core/auth/permissions.ts";
import { matchesWildcard } from "../../util/wildcard.ts";

/** Whether a key may use some deployments alone, of which requests that pass through say nothing. */
export function isBound(principal: Principal): boolean {
  return isBoundToModels(principal) || principal.allowedModelRegion !== undefined;
}

/**
 * What passes through is under no rule about objects and models, so nobody but administrators may, and those whom they
 * allow it: by the key, or by its team where nothing binds the key to some models or to a region.
 * @param route the path as it was read, not as it was spelled
 * @throws GatewayError 403
 */
export function requireGrant(principal: Principal, route: string): void {
  const bound = isBound(principal);
  if (!bound && isAdministrator(principal)) return;
  const grant = bound && principal.passThrough?.isOwn !== true ? undefined : principal.passThrough;
  if (grant?.routes.some((entry) => allows(entry, route)) !== true) throw refused(route);
}

/** An entry allows its own path and every path below it, a `*` any text, as with LiteLLM. */
function allows(entry: string, route: string): boolean {
  if (entry.includes("*")) return matchesWildcard(entry, route);
  const path = entry.replace(/\/+$/, "");
  return route === path || route.startsWith(`${path}/`);
}

function refused(route: string): GatewayError {
  return forbidden(
    `This api key may not pass requests through to ${route}: it is not among its allowed_passthrough_routes`,
  );
}
