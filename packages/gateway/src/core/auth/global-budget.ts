import type { LimitScope, Principal } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

/** Names what is spent under the budget of the whole gateway, as other owners are named: its kind, since when, its id. */
const OWNER = "proxy 0 litellm-proxy-budget";

/**
 * Puts principals under the budget of the whole gateway (`litellm_settings.max_budget`), in which the calls of everybody
 * count; `undefined` where there is none.
 */
export function globalBudget({
  gatewaySettings,
}: Pick<GatewayConfig, "gatewaySettings">): ((principal: Principal) => Principal) | undefined {
  const { maxBudget, budgetDuration } = gatewaySettings;
  // Nothing is no budget here, as at LiteLLM, whose default it is.
  if (maxBudget === undefined || maxBudget === 0) return undefined;
  const limits = { maxBudget, ...(budgetDuration === undefined ? {} : { budgetDuration }) };
  const scope: LimitScope = { owner: OWNER, name: "the gateway", limits };
  // A caller's principal stays the same object in all its requests.
  const under = new WeakMap<Principal, Principal>();
  return (principal) => {
    let counted = under.get(principal);
    if (counted === undefined) {
      counted = { ...principal, scopes: [...(principal.scopes ?? []), scope] };
      under.set(principal, counted);
    }
    return counted;
  };
}
