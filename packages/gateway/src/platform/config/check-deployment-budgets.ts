import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { nearestName } from "../../util/nearest-name.ts";
import type { ConfigDocument, ConfigPath } from "./config-document.ts";
import type { GatewayConfig } from "./gateway-config.ts";

/**
 * Warns of budgets of providers that hold nobody.
 * @param router the path of `router_settings`
 * @param names names that providers may have
 */
export function checkProviderBudgets(
  document: ConfigDocument,
  router: ConfigPath,
  { deployments, routerSettings }: GatewayConfig,
  names: readonly string[],
): void {
  const used = new Set(deployments.map(({ provider }) => provider));
  for (const [provider, { maxBudget }] of Object.entries(routerSettings.providerBudgetConfig)) {
    const path = [...router, "provider_budget_config", provider];
    if (maxBudget === undefined) {
      document.warn(path, "has no effect without budget_limit");
    } else if (!used.has(provider) && (!used.has("*") || !names.includes(provider))) {
      const nearest = nearestName(provider, new Set([...used, ...names]));
      const hint = nearest === undefined || nearest === provider ? "" : `; did you mean ${nearest}?`;
      document.warn(path, `holds nobody: no entry of model_list has this provider${hint}`);
    }
  }
}

/** Warns of deployments whose budget has a length and no amount. */
export function checkDeploymentBudgets(document: ConfigDocument, { model_list: list }: JsonObject): void {
  for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
    if (!isJsonObject(entry)) continue;
    for (const section of ["gateway_params", "litellm_params"]) {
      const params = entry[section];
      if (isJsonObject(params) && params.budget_duration != null && params.max_budget == null)
        document.warn(["model_list", index, section, "budget_duration"], "has no effect without max_budget");
    }
  }
}
