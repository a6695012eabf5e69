import type { JsonObject } from "../../contract/json.ts";
import { resetShown } from "../../core/auth/management/entity-spend.ts";
import type { KeyManagement } from "../../core/auth/management/key-management.ts";
import { budgetWindow } from "../../core/ledger/budget-window.ts";
import { providerScope } from "../../platform/config/deployment-budgets.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

/** The budgets of providers (`provider_budget_config`), and what is spent in their windows. */
export async function providerBudgets(
  parts: KeyManagement,
  { routerSettings }: Pick<GatewayConfig, "routerSettings">,
): Promise<JsonObject> {
  const now = Date.now();
  const timezone = parts.timezone();
  const scopes = Object.entries(routerSettings.providerBudgetConfig).map(([provider, limits]) => {
    const start = budgetWindow(limits, now, timezone)?.start ?? 0;
    return { provider, limits, window: { owner: providerScope(provider, limits).owner, start } };
  });
  await parts.ledger.flush();
  const spent = await parts.spend.spendInWindows(scopes.map(({ window }) => window));
  const providers = scopes.map(({ provider, limits, window }) => [
    provider,
    {
      budget_limit: limits.maxBudget ?? null,
      time_period: limits.budgetDuration ?? null,
      spend: spent.get(window.owner) ?? 0,
      ...resetShown(parts, limits),
    },
  ]);
  return { providers: Object.fromEntries(providers) };
}
