import { dollars, moment } from "./format.ts";

/** A budget as lists show it; US dollars. */
export interface Budget {
  /** Absent or `null` where there is none. */
  readonly max_budget?: number | null | undefined;
  readonly budget_duration?: string | null;
  /** What it has more until then. */
  readonly temp_budget_increase?: number | null;
  readonly temp_budget_expiry?: string | null;
  readonly budget_reset_at?: string | null;
}

/** $5.00 per 30d, anew Dec 1, 2026, 12:00:00 AM */
export function budgetText({
  max_budget: budget,
  budget_duration: each,
  temp_budget_increase: more,
  temp_budget_expiry: until,
  budget_reset_at: reset,
}: Budget): string {
  if (budget == null) return "none";
  const parts = [`${dollars(budget)}${each == null ? "" : ` per ${each}`}`];
  if (more != null && until != null && Date.parse(until) > Date.now())
    parts.push(`${dollars(more)} more until ${moment(until)}`);
  if (reset != null) parts.push(`anew ${moment(reset)}`);
  return parts.join(", ");
}
