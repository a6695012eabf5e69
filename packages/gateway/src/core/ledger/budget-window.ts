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

/** A scope beside the key, and the start of its budget's window: 0 for a budget without windows. */
export interface ScopeWindow {
  readonly owner: string;
  readonly start: number;
}

/** The windows of all scopes with a budget that a moment falls into. */
export function scopeWindows({ scopes = [] }: Pick<Principal, "scopes">, at: number): readonly ScopeWindow[] {
  return scopes
    .filter(({ limits }) => limits.maxBudget !== undefined)
    .map(({ owner, limits }) => ({ owner, start: budgetWindow(limits, at)?.start ?? 0 }));
}
