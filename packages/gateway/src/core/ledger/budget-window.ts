import type { KeyLimits, Principal } from "../../contract/principal.ts";
import { parseDuration } from "../../util/duration.ts";

/** A stretch of time within which a budget holds; times in milliseconds since the epoch. */
export interface BudgetWindow {
  readonly start: number;
  readonly end: number;
}

/**
 * The budget window that a moment falls into. Windows follow each other from the epoch on, so that every replica
 * has the same ones. `undefined` for a key whose budget has no duration: it holds for good.
 */
export function budgetWindow(limits: KeyLimits, at: number): BudgetWindow | undefined {
  const length = limits.budgetDuration === undefined ? undefined : parseDuration(limits.budgetDuration);
  if (length === undefined) return undefined;
  const start = Math.floor(at / length) * length;
  return { start, end: start + length };
}

/** A scope beside the key, and where its spend counts: in a window of its budget, or at 0 in all. */
export interface ScopeWindow {
  readonly owner: string;
  readonly start: number;
}

/**
 * Where a call counts beside its key: in all that its scopes have spent, whether these have budgets or not, and in the
 * windows of their budgets.
 * @param held shares of budgets that the call has: it counts in the windows in which it began
 */
export function scopeWindows(
  { scopes }: Pick<Principal, "scopes">,
  at: number,
  held: readonly ScopeWindow[] = [],
): readonly ScopeWindow[] {
  if (scopes === undefined) return held;
  // Scopes for some models alone are among what is held only.
  const further = held.filter(({ owner }) => !scopes.some((scope) => scope.owner === owner));
  const own = scopes.flatMap(({ owner, limits }) => {
    const start = held.find((window) => window.owner === owner)?.start ?? budgetWindow(limits, at)?.start;
    return start === undefined || start === 0
      ? [{ owner, start: 0 }]
      : [
          { owner, start: 0 },
          { owner, start },
        ];
  });
  return [...own, ...further];
}
