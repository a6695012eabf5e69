import type { LimitScope, Principal } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

/** Names what is spent under the budget of the whole gateway, as other owners are named: its kind, since when, its id. */
const OWNER = "proxy 0 litellm-proxy-budget";

/** The budget of the whole gateway (`litellm_settings.max_budget`), in which the calls of everybody count. */
export class GlobalBudget {
  readonly #scope: LimitScope | undefined;
  /** A caller's principal stays the same object in all its requests. */
  readonly #counted = new WeakMap<Principal, Principal>();

  constructor({ gatewaySettings }: Pick<GatewayConfig, "gatewaySettings">) {
    const { maxBudget, budgetDuration } = gatewaySettings;
    // Nothing is no budget here, as at LiteLLM, whose default it is.
    if (maxBudget === undefined || maxBudget === 0) return;
    const limits = { maxBudget, ...(budgetDuration === undefined ? {} : { budgetDuration }) };
    this.#scope = { owner: OWNER, name: "the gateway", limits };
  }

  /** The principal with the budget of the whole gateway beside its own. */
  under(principal: Principal): Principal {
    if (this.#scope === undefined) return principal;
    let counted = this.#counted.get(principal);
    if (counted === undefined) {
      counted = { ...principal, scopes: [...(principal.scopes ?? []), this.#scope] };
      this.#counted.set(principal, counted);
    }
    return counted;
  }
}
