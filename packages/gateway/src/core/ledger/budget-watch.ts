import { budgetAt, type LimitScope, type Principal, scopesOf } from "../../contract/principal.ts";
import { providerIn } from "../../platform/config/deployment-budgets.ts";
import type { ObservedBudget } from "../../platform/metrics/budget-gauges.ts";
import { budgetWindow, type Timezone } from "./budget-window.ts";
import type { FinishedCall, LedgerWatcher } from "./ledger.ts";
import type { Rollovers } from "./rollover.ts";
import type { SpendStore } from "./spend-store.ts";

/** Budgets that are watched; those in which calls counted last. */
const MAX_BUDGETS = 1000;
/** Milliseconds for which a budget is watched in which no call counts. */
const WATCHED_FOR = 24 * 3_600_000;

interface Seen {
  readonly scope: LimitScope;
  readonly principal: Principal;
  readonly at: number;
}

/** Remembers in which budgets calls have counted, for the metrics. */
export class BudgetWatch implements LedgerWatcher {
  readonly #spend: SpendStore;
  readonly #timezone: Timezone;
  readonly #rollovers: Rollovers;
  /** By owner, those seen last at the end. */
  readonly #seen = new Map<string, Seen>();

  constructor(spend: SpendStore, timezone: Timezone, rollovers: Rollovers) {
    this.#spend = spend;
    this.#timezone = timezone;
    this.#rollovers = rollovers;
  }

  settles({ principal, call }: FinishedCall): void {
    if (principal.limits.maxBudget !== undefined) this.#note(scopesOf(principal)[0]!, principal);
    for (const scope of principal.scopes ?? []) this.#note(scope, principal);
    for (const { scope } of principal.modelScopes ?? []) this.#note(scope, principal);
    for (const scope of call.deployment?.budgets ?? []) this.#note(scope, principal);
  }

  #note(scope: LimitScope, principal: Principal): void {
    if (scope.limits.maxBudget === undefined || scope.isByDefault === true) return;
    this.#seen.delete(scope.owner);
    this.#seen.set(scope.owner, { scope, principal, at: Date.now() });
    if (this.#seen.size > MAX_BUDGETS) this.#seen.delete(this.#seen.keys().next().value!);
  }

  /** The budgets with what the store says is spent in their windows. */
  async budgets(): Promise<readonly ObservedBudget[]> {
    const now = Date.now();
    const timezone = this.#timezone();
    for (const [owner, { at }] of this.#seen) if (now - at > WATCHED_FOR) this.#seen.delete(owner);
    const all = [...this.#seen.values()].map((seen) => {
      const window = budgetWindow(seen.scope.limits, now, timezone);
      const isKey = seen.scope.owner === seen.principal.keyHash;
      return { ...seen, window, isWholeKey: isKey && window === undefined };
    });
    const ofKeys = all.filter(({ isWholeKey }) => isWholeKey);
    const others = all.filter(({ isWholeKey }) => !isWholeKey);
    const whole = await this.#spend.spendOfAll(ofKeys.map(({ scope }) => scope.owner));
    const windows = await this.#spend.spendInWindows(
      others.map(({ scope, window }) => ({ owner: scope.owner, start: window?.start ?? 0 })),
    );
    const more = await this.#rollovers.amounts(all.map(({ scope, window }) => ({ ...scope, window })));
    return all.map(({ scope, principal, window, isWholeKey }, index) => ({
      name: providerIn(scope.owner) ?? scope.name,
      kind: kindOf(scope, principal),
      caller: principal,
      budget: budgetAt(scope.limits, now)! + more[index]!,
      spent: (isWholeKey ? whole : windows).get(scope.owner) ?? 0,
      resetsAt: window?.end,
    }));
  }
}

function kindOf({ owner, name }: LimitScope, { keyHash, teamId, userId }: Principal): ObservedBudget["kind"] {
  if (owner === keyHash) return "api_key";
  if (providerIn(owner) !== undefined) return "provider";
  if (name === `the team ${teamId}`) return "team";
  return name === `the user ${userId}` ? "user" : "other";
}
