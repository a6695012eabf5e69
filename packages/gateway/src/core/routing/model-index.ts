import type { Deployment } from "../../contract/deployment.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { bySpecificity } from "./name-pattern.ts";

/** The deployments of a configuration by everything that can name them. */
export interface ModelIndex {
  /** By exact `model_name`. */
  readonly groups: ReadonlyMap<string, readonly Deployment[]>;
  /** `model_name`s with stars, most specific first. */
  readonly patterns: readonly (readonly [string, readonly Deployment[]])[];
  /** By `provider/model`, where neither side has a star. */
  readonly deploymentNames: ReadonlyMap<string, readonly Deployment[]>;
  readonly ids: ReadonlyMap<string, Deployment>;
}

const indexes = new WeakMap<readonly Deployment[], ModelIndex>();

/** The index of a configuration, made at its first use. */
export function modelIndex(config: GatewayConfig): ModelIndex {
  const known = indexes.get(config.deployments);
  if (known !== undefined) return known;
  const index = build(config.deployments);
  indexes.set(config.deployments, index);
  return index;
}

function build(deployments: readonly Deployment[]): ModelIndex {
  const groups = new Map<string, Deployment[]>();
  const patterns = new Map<string, Deployment[]>();
  const names = new Map<string, Deployment[]>();
  for (const deployment of deployments) {
    append(deployment.modelName.includes("*") ? patterns : groups, deployment.modelName, deployment);
    const name = `${deployment.provider}/${deployment.model}`;
    if (!name.includes("*")) append(names, name, deployment);
  }
  return {
    groups,
    patterns: [...patterns].sort(([a], [b]) => bySpecificity(a, b)),
    deploymentNames: names,
    ids: new Map(deployments.map((deployment) => [deployment.id, deployment])),
  };
}

function append(map: Map<string, Deployment[]>, key: string, deployment: Deployment): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [deployment]);
  else list.push(deployment);
}
