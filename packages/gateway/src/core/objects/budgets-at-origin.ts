import type { LimitScope } from "../../contract/principal.ts";
import { withProviderBudget } from "../../platform/config/deployment-budgets.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import { directDeployment } from "../routing/direct-deployment.ts";
import type { Origin } from "./ownership.ts";

/**
 * The budgets in which what is made somewhere counts beside its caller's: of its deployment and its provider. A provider that
 * is called by its own name, with the key in the environment, has no deployment that could say so.
 */
export function budgetsAt(
  { deployment, provider }: Origin,
  { current: { routerSettings } }: Pick<ConfigSource, "current">,
): readonly LimitScope[] | undefined {
  const at =
    deployment ??
    withProviderBudget(directDeployment(`${provider}/`), provider, routerSettings.providerBudgetConfig);
  return at.budgets;
}
