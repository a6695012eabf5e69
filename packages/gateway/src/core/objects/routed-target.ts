import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { HealthBook } from "../routing/health.ts";
import { planAttempts } from "../routing/plan.ts";
import type { ResourceDeps } from "./resource-deps.ts";

/** The deployment that the router chooses for a model; `undefined` when it knows no such model. */
export function routedTarget(
  deps: Pick<ResourceDeps, "config"> & { readonly health: HealthBook },
  model: string,
  principal: Principal,
): Target | undefined {
  try {
    const request = { model, region: principal.allowedModelRegion };
    const context = { health: deps.health, random: Math.random, price: () => undefined };
    const plan = planAttempts(request, deps.config.current(), context);
    return plan.attempts[0];
  } catch (error) {
    if (error instanceof GatewayError && error.status === 400) return undefined;
    throw error;
  }
}
