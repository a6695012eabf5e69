import type { Principal } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

/**
 * LiteLLM's model access groups: `model_info.access_groups` puts a deployment into groups, and a group's name in a
 * key's list of models stands for the models in it.
 */
export class AccessGroups {
  /** Names of models by group. */
  readonly #models = new Map<string, Set<string>>();
  /** A key's principal stays the same object in all its requests. */
  readonly #expanded = new WeakMap<Principal, Principal>();

  constructor({ deployments }: Pick<GatewayConfig, "deployments">) {
    for (const { modelName, info } of deployments) {
      for (const group of groupsOf(info.access_groups)) {
        const models = this.#models.get(group);
        if (models === undefined) this.#models.set(group, new Set([modelName]));
        else models.add(modelName);
      }
    }
  }

  /** The principal with the models of its groups beside those that it names itself. */
  expand(principal: Principal): Principal {
    if (this.#models.size === 0 || !principal.models.some((name) => this.#models.has(name))) return principal;
    let expanded = this.#expanded.get(principal);
    if (expanded === undefined) {
      const models = principal.models.flatMap((name) => [name, ...(this.#models.get(name) ?? [])]);
      expanded = { ...principal, models };
      this.#expanded.set(principal, expanded);
    }
    return expanded;
  }
}

function groupsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((group) => typeof group === "string") : [];
}
