import type { Deployment, Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { ownMember } from "../../contract/json.ts";
import { withProviderBudget } from "../../platform/config/deployment-budgets.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { findProvider } from "../../providers/registry.ts";
import { directDeployment } from "./direct-deployment.ts";
import { bySpecificity, captureStars, fillStars } from "./name-pattern.ts";

/** By which rule a name was found. */
export type ResolvedBy =
  | "model list"
  | "model group alias"
  | "deployment name"
  | "deployment id"
  | "pattern"
  | "default deployment"
  | "command line";

/** The deployments that a model name stands for. */
export interface Resolution {
  readonly by: ResolvedBy;
  /** The `model_name` whose deployments these are; the name of fallbacks and of the log. */
  readonly group: string;
  readonly targets: readonly Target[];
}

/**
 * Finds the deployments of a model name; the first match wins: model list, group alias, deployment name, deployment
 * id, patterns from the most specific to the default deployment (`*`), and the command line's model called directly.
 * A pattern's own name is no model: no provider has one with a star.
 * @throws GatewayError 400 with the spec's detail when nothing matches
 */
export function resolveModel(model: string, config: GatewayConfig): Resolution {
  const resolution = resolveName(model, config);
  if (resolution.targets.some((target) => target.model.includes("*"))) throw invalidModel(model);
  return resolution;
}

/** As `resolveModel`, for names that nobody calls: what a pattern's own name stands for as well. */
export function resolveName(model: string, config: GatewayConfig): Resolution {
  const index = modelIndex(config);
  const exact = index.groups.get(model);
  if (exact !== undefined) return { by: "model list", group: model, targets: exact.map(asTarget) };
  const alias = ownMember(config.routerSettings.modelGroupAlias, model);
  if (alias !== undefined && alias !== model) return resolveAlias(alias, config);
  const named = index.deploymentNames.get(model);
  if (named !== undefined)
    return { by: "deployment name", group: named[0]!.modelName, targets: named.map(asTarget) };
  const one = index.ids.get(model);
  if (one !== undefined && !one.model.includes("*"))
    return { by: "deployment id", group: one.modelName, targets: [asTarget(one)] };
  const pattern = resolvePattern(model, config);
  if (pattern !== undefined) return pattern;
  const { model: overriding } = config.commandLine;
  const { modelAliasMap } = config.gatewaySettings;
  if (overriding !== undefined && (ownMember(modelAliasMap, overriding) ?? overriding) === model) {
    const direct = directDeployment(model, config.commandLine.apiBase);
    const deployment = ofProvider(direct, direct.provider, config);
    return { by: "command line", group: model, targets: [asTarget(deployment)] };
  }
  throw invalidModel(model);
}

/** The deployments of a model name, after the alias map; none for a name that nothing matches. */
export function deploymentsOf(model: string, config: GatewayConfig): readonly Deployment[] {
  const name = ownMember(config.gatewaySettings.modelAliasMap, model) ?? model;
  try {
    return resolveName(name, config).targets.map(({ deployment }) => deployment);
  } catch {
    return [];
  }
}

/** An alias leads to a name of the model list or one that a pattern takes, not to another alias. */
function resolveAlias(name: string, config: GatewayConfig): Resolution {
  const exact = modelIndex(config).groups.get(name);
  if (exact !== undefined) return { by: "model group alias", group: name, targets: exact.map(asTarget) };
  const pattern = resolvePattern(name, config);
  if (pattern === undefined) throw invalidModel(name);
  return { ...pattern, by: "model group alias" };
}

function resolvePattern(model: string, config: GatewayConfig): Resolution | undefined {
  for (const [pattern, deployments] of modelIndex(config).patterns) {
    const texts = captureStars(pattern, model);
    if (texts === undefined) continue;
    const targets = deployments.map((deployment) => filled(deployment, texts, config));
    return { by: pattern === "*" ? "default deployment" : "pattern", group: pattern, targets };
  }
  return undefined;
}

/** A pattern's deployment for one name. An entry whose model is only `*` has its provider in the name. */
function filled(deployment: Deployment, texts: readonly string[], config: GatewayConfig): Target {
  const model = fillStars(deployment.model, texts);
  if (deployment.provider !== "*") return asTarget({ ...deployment, model });
  const { provider, model: rest } = directDeployment(model);
  return asTarget({ ...deploymentAt(deployment, provider, config), model: rest });
}

/**
 * A deployment as it is at a provider where something was made by it: one of any model has its provider, and that one's
 * budget, by whichever of the provider's names the caller names it.
 */
export function deploymentAt(
  deployment: Deployment,
  provider: string,
  config: Pick<GatewayConfig, "routerSettings">,
): Deployment {
  return deployment.provider === "*" ? ofProvider({ ...deployment, provider }, provider, config) : deployment;
}

function ofProvider(
  deployment: Deployment,
  provider: string,
  { routerSettings }: Pick<GatewayConfig, "routerSettings">,
): Deployment {
  const name = findProvider(provider)?.name ?? provider;
  return withProviderBudget(deployment, name, routerSettings.providerBudgetConfig);
}

function asTarget(deployment: Deployment): Target {
  return { deployment, model: deployment.model };
}

/**
 * The spec's 400 for a model that nobody has. It fixes the sentence of `detail`; `message` goes on with what the caller can
 * do. It names no model that is near: the caller's key might not be allowed to know it.
 */
export function invalidModel(model: string): GatewayError {
  const text = `completion: Invalid model name passed in model=${model}`;
  return new GatewayError(
    400,
    "invalid_request_error",
    `${text}; GET /v1/models lists those that you may call`,
    {
      param: "model",
      detail: { error: text },
    },
  );
}

/**
 * The deployments of a configuration by everything that can name them. Each map is made when it is first asked, which with
 * thousands of deployments takes milliseconds of one call: most names are found in the first map.
 */
class ModelIndex {
  readonly #deployments: readonly Deployment[];
  /** By exact `model_name`. */
  readonly groups = new Map<string, Deployment[]>();
  /** `model_name`s with stars, most specific first. */
  readonly patterns: readonly (readonly [string, readonly Deployment[]])[];
  #deploymentNames: Map<string, Deployment[]> | undefined;
  #ids: ReadonlyMap<string, Deployment> | undefined;

  constructor(deployments: readonly Deployment[]) {
    this.#deployments = deployments;
    const patterns = new Map<string, Deployment[]>();
    for (const deployment of deployments) {
      const { modelName } = deployment;
      append(modelName.includes("*") ? patterns : this.groups, modelName, deployment);
    }
    this.patterns = [...patterns].sort(([a], [b]) => bySpecificity(a, b));
  }

  /** By `provider/model`, where neither side has a star. */
  get deploymentNames(): ReadonlyMap<string, readonly Deployment[]> {
    if (this.#deploymentNames !== undefined) return this.#deploymentNames;
    const names = new Map<string, Deployment[]>();
    for (const deployment of this.#deployments) {
      const name = `${deployment.provider}/${deployment.model}`;
      if (!name.includes("*")) append(names, name, deployment);
    }
    this.#deploymentNames = names;
    return names;
  }

  get ids(): ReadonlyMap<string, Deployment> {
    this.#ids ??= new Map(this.#deployments.map((deployment) => [deployment.id, deployment]));
    return this.#ids;
  }
}

const indexes = new WeakMap<readonly Deployment[], ModelIndex>();

/** The index of a configuration, made at its first use. */
function modelIndex({ deployments }: GatewayConfig): ModelIndex {
  let index = indexes.get(deployments);
  if (index === undefined) {
    index = new ModelIndex(deployments);
    indexes.set(deployments, index);
  }
  return index;
}

function append(map: Map<string, Deployment[]>, key: string, deployment: Deployment): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [deployment]);
  else list.push(deployment);
}
