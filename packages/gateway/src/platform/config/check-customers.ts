import type { ConfigDocument, ConfigPath } from "./config-document.ts";
import { type GatewayConfig, hasStore } from "./gateway-config.ts";
import { CUSTOMER } from "./options/customer-options.ts";

/**
 * Warns of settings about customers and tags that hold nobody, and refuses keys as customers' names.
 * @param general the path of `general_settings`
 * @param gateway the path of `litellm_settings`
 */
export function checkCustomers(
  document: ConfigDocument,
  general: ConfigPath,
  gateway: ConfigPath,
  config: GatewayConfig,
): void {
  const { generalSettings, gatewaySettings } = config;
  for (const { name, role } of generalSettings.userHeaderMappings)
    if (role !== CUSTOMER)
      document.warn(
        [...general, "user_header_mappings"],
        `${name} is NOT ENFORCED here: calls count for the user of their key; write litellm_user_role: ${CUSTOMER} to count them by that header too`,
      );
  const keyHeader = generalSettings.litellmKeyHeaderName?.toLowerCase();
  const names = generalSettings.userHeaderMappings.map(({ name }) => name);
  if (keyHeader !== undefined && [...names, generalSettings.userHeaderName].includes(keyHeader))
    document.error(
      [...general, "litellm_key_header_name"],
      `${keyHeader} has keys, so that it cannot name customers too`,
    );
  if (gatewaySettings.maxEndUserBudgetId !== undefined && !hasStore(config))
    document.warn(
      [...gateway, "max_end_user_budget_id"],
      "is NOT ENFORCED here: budgets are kept in a database, and there is none; set max_end_user_budget",
    );
  for (const [tag, limits] of Object.entries(gatewaySettings.tagBudgetConfig))
    if (limits.budgetDuration !== undefined && limits.maxBudget === undefined)
      document.warn(
        [...gateway, "tag_budget_config", tag],
        "budget_duration has no effect without max_budget",
      );
}
