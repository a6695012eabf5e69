import type { KeyLimits } from "../../contract/principal.ts";
import { budgetAt } from "../../contract/principal.ts";

/** A level of a budget that was reached, by LiteLLM's names of events. */
export interface ReachedLevel {
  readonly event: "budget_crossed" | "threshold_crossed" | "soft_budget_crossed";
  /** Tells it from the others of the same budget. */
  readonly name: string;
  readonly message: string;
  /** US dollars of the budget. */
  readonly budget: number;
  /** US dollars from which on it is reached. */
  readonly from: number;
}

/** Parts of a budget from which on somebody is told that little is left. */
const THRESHOLDS = [0.95, 0.85];

/**
 * The levels that are reached: of the hard budget the highest first, and apart from it the soft one.
 * @param spent US dollars
 * @param at milliseconds since the epoch
 */
export function reachedLevels(
  limits: KeyLimits,
  spent: number,
  at: number,
): readonly (readonly ReachedLevel[])[] {
  const { softBudget } = limits;
  const budget = budgetAt(limits, at);
  const hard: ReachedLevel[] = [];
  // A budget of nothing is how administrators shut something off.
  if (budget !== undefined && budget > 0) {
    if (spent >= budget)
      hard.push({ event: "budget_crossed", name: "all", message: "Budget Crossed", budget, from: budget });
    for (const part of THRESHOLDS)
      if (spent >= budget * part)
        hard.push({
          event: "threshold_crossed",
          name: String(part),
          message: `${Math.round((1 - part) * 100)}% Threshold Crossed`,
          budget,
          from: budget * part,
        });
  }
  const soft: ReachedLevel[] =
    softBudget !== undefined && softBudget > 0 && spent >= softBudget
      ? [
          {
            event: "soft_budget_crossed",
            name: "soft",
            message: "Soft Budget Crossed",
            budget: softBudget,
            from: softBudget,
          },
        ]
      : [];
  return [hard, soft].filter((levels) => levels.length > 0);
}
