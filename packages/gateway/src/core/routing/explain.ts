import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { effectiveModel } from "../call/prepare-call.ts";
import { DeploymentHealth } from "./health.ts";
import { fallbackModels, planAttempts } from "./plan.ts";
import { type ResolvedBy, resolveModel, resolveName } from "./resolve-model.ts";

/** What a model name leads to, for `portico verify` and for people. */
export interface Explanation {
  readonly model: string;
  readonly by: ResolvedBy | undefined;
  /** In the order in which they are tried on a quiet gateway. */
  readonly attempts: readonly {
    readonly deployment: string;
    readonly target: string;
    readonly why: string;
  }[];
  readonly fallbacks: readonly string[];
  /** Of these, the names that lead nowhere. */
  readonly lostFallbacks: readonly string[];
  /** Why the name leads nowhere. */
  readonly problem: string | undefined;
}

/** Explains what a model name resolves to under a configuration, with every deployment healthy. */
export function explainModel(model: string, config: GatewayConfig, region?: string): Explanation {
  const name = effectiveModel(model, "chat", config) ?? model;
  const context = { health: new DeploymentHealth(), random: () => 0, price: () => undefined };
  try {
    const plan = planAttempts({ model: name, region, resolve: resolveName }, config, context);
    const names = [name, plan.resolution.group];
    const kinds = ["general", "context window", "content policy"] as const;
    const fallbacks = new Set(kinds.flatMap((kind) => fallbackModels(names, kind, config)));
    return {
      model,
      by: plan.resolution.by,
      attempts: plan.attempts.map((target) => ({
        deployment: target.deployment.id,
        target: shown(target, config),
        why: reason(target, config, plan.attempts.length),
      })),
      fallbacks: fallbackModels(names, "general", config),
      lostFallbacks: [...fallbacks].filter((name) => !leadsSomewhere(name, config)),
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { model, by: undefined, attempts: [], fallbacks: [], lostFallbacks: [], problem: error.message };
  }
}

/** The provider and its model; an entry for whatever provider callers name has a star for both. */
function shown({ deployment, model }: Target, config: GatewayConfig): string {
  const configured = config.deployments.find(({ id }) => id === deployment.id);
  const isOpen = configured?.provider === "*" && model.includes("*");
  return isOpen ? model : `${deployment.provider}/${model}`;
}

function leadsSomewhere(model: string, config: GatewayConfig): boolean {
  try {
    return resolveModel(model, config).targets.length > 0;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

function reason({ deployment }: Target, config: GatewayConfig, count: number): string {
  if (count === 1) return "the only deployment";
  const { order, weight, rpm, tpm } = deployment;
  const figures = Object.entries({ order, weight, rpm, tpm })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`);
  return [config.routerSettings.routingStrategy, ...figures].join(", ");
}
