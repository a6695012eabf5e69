import { ownMember } from "../../contract/json.ts";
import { ownAlias, type Principal } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { matchesWildcard } from "../../util/wildcard.ts";
import { resolveName } from "./resolve-model.ts";

/**
 * The principal with what calls of a model count in beside all others: limits for models whose name is one of the call's,
 * and those whose name stands for every deployment that one of these stands for (an alias, a deployment's id or name).
 * @param names by which the model is known; a provider's name before a slash need not stand in a limit
 */
export function underModels(
  principal: Principal,
  names: readonly string[],
  config: GatewayConfig,
): Principal {
  const { modelScopes, ...rest } = principal;
  if (modelScopes === undefined) return principal;
  const given = names.filter((name) => name !== "");
  const known = given.flatMap((name) => [name, name.slice(name.indexOf("/") + 1)]);
  let served: readonly (readonly string[])[] | undefined;
  const isMeant = (model: string): boolean => {
    if (known.some((name) => matchesWildcard(model, name))) return true;
    served ??= [...new Set(given)].map((name) => servedAs(name, principal, config));
    const limited = new Set(limitedBy(model, principal, config));
    // One of a wildcard is asked for another model each time: its id stands for all of them.
    const isLimited = (target: string): boolean => limited.has(target) || target.startsWith(`${model} `);
    return served.some((targets) => targets.length > 0 && targets.every(isLimited));
  };
  const scopes = modelScopes.filter(({ model }) => isMeant(model)).map(({ scope }) => scope);
  return scopes.length === 0 ? rest : { ...rest, scopes: [...(principal.scopes ?? []), ...scopes] };
}

/** What a limit's name stands for; one with a star for the aliases that it matches. */
function limitedBy(model: string, principal: Principal, config: GatewayConfig): readonly string[] {
  if (!model.includes("*")) return servedAs(model, principal, config);
  const { gatewaySettings, routerSettings } = config;
  const aliases = [
    principal.modelAliases ?? {},
    gatewaySettings.modelAliasMap,
    routerSettings.modelGroupAlias,
  ];
  return aliases
    .flatMap((map) => Object.keys(map))
    .filter((alias) => matchesWildcard(model, alias))
    .flatMap((alias) => servedAs(alias, principal, config));
}

/** The deployments that a name stands for, each with the model that it is asked for; none for an unknown name. */
function servedAs(name: string, principal: Principal, config: GatewayConfig): readonly string[] {
  const own = principal.modelAliases === undefined ? name : ownAlias(principal, name);
  const model = ownMember(config.gatewaySettings.modelAliasMap, own) ?? own;
  try {
    return resolveName(model, config).targets.map((target) => `${target.deployment.id} ${target.model}`);
  } catch {
    return [];
  }
}
