import type { KeyLimits, LimitScope, Principal, Restrictions } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

/** Names what is spent under the limits of the whole gateway, as other owners are named: its kind, since when, its id. */
const OWNER = "proxy 0 litellm-proxy-budget";

const NONE: Restrictions = { routes: [], addresses: [], params: [] };

/**
 * Puts principals under what the configuration says of everybody: the limits of the whole gateway, in which all calls count
 * together, which paths may be asked, which fields calls must have, and where spans of teams go that have no destinations
 * of their own; `undefined` where it says nothing.
 */
export function rulesForAll(
  config: Pick<GatewayConfig, "gatewaySettings" | "generalSettings">,
): ((principal: Principal) => Principal) | undefined {
  const limits = limitsIn(config);
  const scope: LimitScope | undefined = limits && {
    owner: OWNER,
    name: "the gateway",
    limits,
    isOperators: true,
  };
  const { allowedRoutes, adminOnlyRoutes, enforceUserParam } = config.generalSettings;
  const { rejectClientsideMetadataTags: refusesTags } = config.generalSettings;
  const enforcedParams = [...config.generalSettings.enforcedParams, ...(enforceUserParam ? ["user"] : [])];
  const hasRoutes = allowedRoutes.length + adminOnlyRoutes.length > 0;
  const restricts = hasRoutes || enforcedParams.length > 0 || refusesTags;
  const callbacks = new Map(
    config.gatewaySettings.defaultTeamSettings
      .filter((team) => team.callbacks.length > 0)
      .map((team) => [team.teamId, team.callbacks]),
  );
  if (scope === undefined && !restricts && callbacks.size === 0) return undefined;
  const restricted = ({ restrictions: own = NONE, role }: Principal): Restrictions => ({
    ...own,
    params: [...new Set([...own.params, ...enforcedParams])],
    ...(refusesTags ? { refusesTags } : {}),
    ...(role === "proxy_admin" || !hasRoutes
      ? {}
      : {
          routes: allowedRoutes.length === 0 ? own.routes : [...own.routes, allowedRoutes],
          refusedRoutes: adminOnlyRoutes,
        }),
  });
  // A caller's principal stays the same object in all its requests.
  const known = new WeakMap<Principal, Principal>();
  return (principal) => {
    let under = known.get(principal);
    if (under === undefined) {
      const { teamId } = principal;
      const logging = principal.logging ?? (teamId === undefined ? undefined : callbacks.get(teamId));
      under = {
        ...principal,
        ...(scope && { scopes: [...(principal.scopes ?? []), scope] }),
        ...(restricts ? { restrictions: restricted(principal) } : {}),
        ...(logging && { logging }),
      };
      known.set(principal, under);
    }
    return under;
  };
}

/** Nothing is no limit here, as at LiteLLM, whose examples have it so. */
function limitsIn({
  gatewaySettings: { maxBudget = 0, budgetDuration },
  generalSettings: { globalMaxParallelRequests = 0 },
}: Pick<GatewayConfig, "gatewaySettings" | "generalSettings">): KeyLimits | undefined {
  if (maxBudget === 0 && globalMaxParallelRequests === 0) return undefined;
  return {
    ...(maxBudget === 0 ? {} : { maxBudget, ...(budgetDuration === undefined ? {} : { budgetDuration }) }),
    ...(globalMaxParallelRequests === 0 ? {} : { maxParallelRequests: globalMaxParallelRequests }),
  };
}
