import type { Deployment } from "../../contract/deployment.ts";
import { forbidden, type GatewayError } from "../../contract/errors.ts";
import { allowsModel, isBoundToModels, type Principal } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { literalLength, matchesWildcard } from "../../util/wildcard.ts";

type Names = Pick<GatewayConfig, "gatewaySettings" | "routerSettings" | "deployments">;

/**
 * Whether a key may use a deployment for a request that names no model, such as one about a file: the key's region and
 * models hold for these requests, too.
 */
export function mayUseDeployment(principal: Principal, deployment: Deployment, config: Names): boolean {
  const { allowedModelRegion: region } = principal;
  if (region !== undefined && deployment.region !== undefined && deployment.region !== region) return false;
  if (!isBoundToModels(principal)) return true;
  const { models, modelLists = [] } = principal;
  const names = namesOf(deployment, config);
  return [models, ...modelLists].every(
    (list) =>
      list.length === 0 ||
      names.some((name) => allowsModel(list, name)) ||
      list.some((model) => isServedByPattern(model, deployment.modelName, config)),
  );
}

/** Whether a pattern takes a model's name, which a name of the list or a longer pattern takes first. */
function isServedByPattern(model: string, pattern: string, config: Names): boolean {
  const name = aliasesOf(config)[model] ?? model;
  if (!matchesWildcard(pattern, name)) return false;
  return config.deployments.every(
    ({ modelName: other }) =>
      other !== name && (literalLength(other) <= literalLength(pattern) || !matchesWildcard(other, name)),
  );
}

function aliasesOf({ gatewaySettings, routerSettings }: Names): Readonly<Record<string, string>> {
  const none = Object.create(null) as Record<string, string>;
  return Object.assign(none, gatewaySettings.modelAliasMap, routerSettings.modelGroupAlias);
}

/** The refusal of a key that may use none of the deployments that there are. */
export function noDeployment(): GatewayError {
  const text = "This api key's models or region allow no deployment for this";
  return forbidden(text);
}

/** Every name by which a caller can ask for the deployment. */
function namesOf({ id, modelName, provider, model }: Deployment, config: Names): string[] {
  const aliases = aliasesOf(config);
  const ofGroup = Object.keys(aliases).filter((alias) => aliases[alias] === modelName);
  return [modelName, id, `${provider}/${model}`, ...ofGroup];
}
