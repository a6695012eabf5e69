import type { JsonObject } from "../../contract/json.ts";
import type { BudgetWindow } from "../../core/ledger/budget-window.ts";

/**
 * When the budget is spent if it goes on as in this window so far, and what is spent at the window's end. One that is
 * spent already was not found so before: that is today.
 * @param budget US dollars; `undefined` where there is none
 * @param now milliseconds since the epoch
 * @param timezone IANA name of the one in which days are told; UTC without one
 */
export function projected(
  budget: number | undefined,
  spent: number,
  window: BudgetWindow | undefined,
  now: number,
  timezone: string | undefined,
): JsonObject {
  const passed = window === undefined ? 0 : now - window.start;
  if (window === undefined || passed <= 0 || spent <= 0)
    return { projected_exceeded_date: null, projected_spend: null };
  const perMs = spent / passed;
  const exceededAt =
    budget === undefined ? Number.POSITIVE_INFINITY : Math.max(now, window.start + budget / perMs);
  return {
    projected_exceeded_date: exceededAt < window.end ? dayOf(exceededAt, timezone ?? "UTC") : null,
    projected_spend: perMs * (window.end - window.start),
  };
}

/** A day as 2026-01-31. */
function dayOf(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
}
