import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { effectiveModel } from "../call/prepare-call.ts";
import { DeploymentHealth } from "./health.ts";
import { type FailureKind, fallbackModels, planAttempts } from "./plan.ts";
import { type ResolvedBy, resolveModel, resolveName } from "./resolve-model.ts";

const SPECIAL_FAILURES = ["context window", "content policy"] as const satisfies readonly FailureKind[];
type SpecialFailure = (typeof SPECIAL_FAILURES)[number];

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
  /** Those after special failures, where they are others. */
  readonly specialFallbacks: readonly {
    readonly after: SpecialFailure;
    readonly models: readonly string[];
  }[];
  /** Of all these, the names that lead nowhere. */
  readonly lostFallbacks: readonly string[];
  /** Why the name leads nowhere. */
  readonly problem: string | undefined;
}

/** Explains what a model name resolves to under a configuration, with every deployment healthy. */
export function explainModel(model: string, config: GatewayConfig): Explanation {
  const name = effectiveModel(model, "chat", config) ?? model;
  const context = { health: new DeploymentHealth(), random: () => 0, price: () => undefined };
  try {
    const plan = planAttempts({ model: name, region: undefined, resolve: resolveName }, config, context);
    const names = [name, plan.resolution.group];
    const fallbacks = fallbackModels(names, "general", config);
    const special = SPECIAL_FAILURES.map((after) => ({
      after,
      models: fallbackModels(names, after, config),
    }));
    const all = new Set([...fallbacks, ...special.flatMap(({ models }) => models)]);
    return {
      model,
      by: plan.resolution.by,
      attempts: plan.attempts.map((target) => ({
        deployment: target.deployment.id,
        target: shown(target, config),
        why: reason(target, config, plan.attempts.length),
      })),
      fallbacks,
      specialFallbacks: special.filter(({ models }) => models.join() !== fallbacks.join()),
      lostFallbacks: [...all].filter((name) => !leadsSomewhere(name, config)),
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const nothing = { attempts: [], fallbacks: [], specialFallbacks: [], lostFallbacks: [] };
    return { model, by: undefined, ...nothing, problem: error.message };
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
