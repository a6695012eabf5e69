import { type LimitScope, type Principal, scopesOf } from "../../contract/principal.ts";
import type { FinishedCall, LedgerWatcher } from "./ledger.ts";
import type { SpendRow } from "./spend-tables.ts";

/** Something with a budget whose calls have cost something, or were refused, since somebody last looked. */
export interface Spender {
  readonly scope: LimitScope;
  /** One of those whose calls count in it. */
  readonly principal: Principal;
}

/** What the names of a budget's alerts begin with that were sent (`happensOnce`). */
export function alertsOf(owner: string): string {
  // With the length no two owners read alike.
  return `alert ${owner.length} ${owner} `;
}

/** Spenders remembered; beyond that those that spend on are remembered later. */
const MAX_SPENDERS = 20_000;

/** Remembers whose budgets may have been crossed, for somebody who looks now and then. */
export class SpendWatch implements LedgerWatcher {
  #spenders = new Map<string, Spender>();

  /** Those that have spent since this was last asked. */
  take(): Spender[] {
    const spenders = [...this.#spenders.values()];
    if (spenders.length > 0) this.#spenders = new Map();
    return spenders;
  }

  settles({ principal }: FinishedCall): void {
    this.#note(principal);
  }

  records(_: SpendRow, owner: Pick<Principal, "limits" | "scopes">): void {
    if ("keyHash" in owner) this.#note(owner as Principal);
  }

  #note(principal: Principal): void {
    const ofModels = (principal.modelScopes ?? []).map(({ scope }) => scope);
    for (const scope of [...scopesOf(principal), ...ofModels]) {
      const { maxBudget, softBudget } = scope.limits;
      if ((maxBudget === undefined && softBudget === undefined) || scope.isByDefault === true) continue;
      if (this.#spenders.size < MAX_SPENDERS) this.#spenders.set(scope.owner, { scope, principal });
    }
  }
}
