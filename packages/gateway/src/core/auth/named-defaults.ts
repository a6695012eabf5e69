import { forbidden, type GatewayError } from "../../contract/errors.ts";
import { ownMember } from "../../contract/json.ts";
import { namedBy } from "../../contract/naming-request.ts";
import type { KeyLimits, LimitScope } from "../../contract/principal.ts";
import type { ConfigSource } from "../../platform/config/gateway-config.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { type NamedKind, namesIn, type RequestScopes, underScopes } from "./request-scopes.ts";

/** The refusal of a blocked customer. */
export function customerBlocked(id: string): GatewayError {
  return forbidden(`The customer ${id} is blocked`);
}

/** The limits that the configuration gives customers and tags whom nobody gave their own. */
export class NamedDefaults {
  readonly #config: ConfigSource;
  readonly #logger: Logger | undefined;
  #toldOf: string | undefined;

  /** @param logger told of a budget that nobody made; absent without a store, which has budgets */
  constructor(config: ConfigSource, logger?: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  /** Calls the listener after each change. */
  subscribe(listener: () => void): void {
    this.#config.subscribe(listener);
  }

  /** Whether there are any, or customers whom the configuration blocks. */
  get areAny(): boolean {
    const { gatewaySettings, lists } = this.#config.current;
    const { maxEndUserBudget, maxEndUserBudgetId, tagBudgetConfig } = gatewaySettings;
    return (
      lists.blockedCustomers.size > 0 ||
      maxEndUserBudget !== undefined ||
      maxEndUserBudgetId !== undefined ||
      Object.keys(tagBudgetConfig).length > 0
    );
  }

  /** @throws GatewayError 403 for a customer whom the configuration blocks */
  requireUnblocked(kind: NamedKind, id: string): void {
    if (kind === "customer" && this.#config.current.lists.blockedCustomers.has(id)) throw customerBlocked(id);
  }

  /** The id of the budget whose limits customers have. */
  get customersBudget(): string | undefined {
    return this.#config.current.gatewaySettings.maxEndUserBudgetId;
  }

  /**
   * Tells once that the budget `customersBudget` names is there or not: nobody else would find out that customers are not
   * held by it.
   */
  noteBudget(id: string, isThere: boolean): void {
    if (isThere) this.#toldOf = undefined;
    else if (this.#toldOf !== id) {
      this.#toldOf = id;
      this.#logger?.warn(
        `max_end_user_budget_id is NOT ENFORCED: there is no budget ${id}; make it by /budget/new`,
      );
    }
  }

  /**
   * Where calls count that name somebody without limits; `undefined` where there are none for it. It is the same before
   * and after somebody is made, changed or deleted under the name, so that none of this begins a budget anew.
   * @param ofBudget limits of the budget that `customersBudget` names
   */
  scopeOf(kind: NamedKind, id: string, ofBudget?: KeyLimits): LimitScope | undefined {
    const limits = kind === "customer" ? this.#ofCustomers(ofBudget) : this.#ofTag(id);
    if (limits === undefined || Object.keys(limits).length === 0) return undefined;
    return { owner: `${kind} 0 ${id}`, name: `the ${kind} ${id}`, limits, isByDefault: true };
  }

  /** A budget that says nothing of dollars leaves them to the configuration. */
  #ofCustomers(ofBudget: KeyLimits = {}): KeyLimits {
    const { maxEndUserBudget: maxBudget } = this.#config.current.gatewaySettings;
    if (maxBudget === undefined || ofBudget.maxBudget !== undefined) return ofBudget;
    const { budgetDuration: _, ...others } = ofBudget;
    return { ...others, maxBudget };
  }

  #ofTag(id: string): KeyLimits | undefined {
    const { tagBudgetConfig } = this.#config.current.gatewaySettings;
    return ownMember(tagBudgetConfig, id);
  }
}

/** What requests count in where no store has customers and tags: the configuration's limits alone. */
export function scopesWithoutStore(defaults: NamedDefaults): RequestScopes {
  const named: RequestScopes["named"] = {
    scoped: async (principal, request) => {
      const names = namedBy(principal, request);
      const scopes = namesIn(names).map(([kind, id]) => {
        defaults.requireUnblocked(kind, id);
        return defaults.scopeOf(kind, id);
      });
      return underScopes(
        principal,
        names,
        scopes.filter((scope) => scope !== undefined),
      );
    },
  };
  const scopes: { named: RequestScopes["named"] } = { named: undefined };
  const follow = (): void => {
    scopes.named = defaults.areAny ? named : undefined;
  };
  follow();
  defaults.subscribe(follow);
  return scopes;
}
