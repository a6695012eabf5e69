import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { ownAlias, type Principal, requireModel } from "../../contract/principal.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import { planAttempts } from "../../core/routing/plan.ts";
import { resolveModel } from "../../core/routing/resolve-model.ts";

type RouterDeps = Pick<CallDeps, "config" | "health">;

/** @throws GatewayError 500 with the spec's detail when the model list is empty */
export function requireRouter({ config }: RouterDeps): void {
  if (config.current.deployments.length > 0) return;
  const text = "The router is not initialised: add models to model_list";
  throw new GatewayError(500, "api_error", text, { detail: { error: text }, retryable: false });
}

/** Whether the router knows a model by this name. */
export function isRoutable({ config }: RouterDeps, model: string): boolean {
  if (config.current.deployments.length === 0) return false;
  try {
    resolveModel(withoutAlias(config.current, model), config.current);
    return true;
  } catch {
    return false;
  }
}

/**
 * The deployments of a model, best first; those in cooldown are at the end.
 * @throws GatewayError 500 without a router, 400 for an unknown model, 403 for one that the key may not use
 */
export function routedTargets(deps: RouterDeps, model: string, principal: Principal): readonly Target[] {
  requireRouter(deps);
  const config = deps.config.current;
  const meant = ownAlias(principal, model);
  const effective = withoutAlias(config, meant);
  requireModel(principal, meant, effective);
  const context = { health: deps.health, random: Math.random, price: () => undefined };
  const request = { model: effective, region: principal.allowedModelRegion };
  const { attempts, leftOut } = planAttempts(request, config, context);
  const cooling = leftOut.filter(({ isCoolingDown }) => isCoolingDown);
  return [...attempts, ...cooling.map(({ target }) => target)];
}

function withoutAlias({ gatewaySettings }: CallDeps["config"]["current"], model: string): string {
  const { modelAliasMap } = gatewaySettings;
  return Object.hasOwn(modelAliasMap, model) ? modelAliasMap[model]! : model;
}
