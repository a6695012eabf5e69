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
  /** The budget that it names, which holds where it has nothing of its own. */
  readonly litellm_budget_table?:
    | (Pick<Budget, "max_budget" | "budget_duration"> & { readonly budget_id: string })
    | null;
}

/** The dollars that hold: its own, else those of the budget that it names; undefined where there is no budget. */
export function dollarsOf({ max_budget: own, litellm_budget_table: named }: Budget): number | undefined {
  return own ?? named?.max_budget ?? undefined;
}

/** $5.00 per 30d, anew Dec 1, 2026, 12:00:00 AM; with the budget that is named, and what holds in its place. */
export function budgetText(limits: Budget): string {
  const {
    temp_budget_increase: more,
    temp_budget_expiry: until,
    budget_reset_at: reset,
    litellm_budget_table: named,
  } = limits;
  const budget = dollarsOf(limits);
  if (budget === undefined) return "none";
  const each = limits.budget_duration ?? named?.budget_duration;
  const parts = [`${dollars(budget)}${each == null ? "" : ` per ${each}`}`];
  if (named != null)
    parts.push(
      limits.max_budget == null || named.max_budget == null
        ? `by ${named.budget_id}`
        : `in place of ${dollars(named.max_budget)} by ${named.budget_id}`,
    );
  if (more != null && until != null && Date.parse(until) > Date.now())
    parts.push(`${dollars(more)} more until ${moment(until)}`);
  if (reset != null) parts.push(`anew ${moment(reset)}`);
  return parts.join(", ");
}
