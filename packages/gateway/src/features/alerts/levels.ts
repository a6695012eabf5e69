import { budgetAt, type KeyLimits } from "../../contract/principal.ts";

/** A level of a budget that was reached, by LiteLLM's names of events. */
export interface ReachedLevel {
  readonly event: "budget_crossed" | "threshold_crossed" | "soft_budget_crossed";
  /** Tells it from the others of the same budget. */
  readonly name: string;
  readonly message: string;
  /** US dollars of the budget without what rolls over: that may still change while calls of the last window end. */
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
 * @param more US dollars that roll over to the hard budget
 */
export function reachedLevels(
  limits: KeyLimits,
  spent: number,
  at: number,
  more = 0,
): readonly (readonly ReachedLevel[])[] {
  const { softBudget } = limits;
  const budget = budgetAt(limits, at);
  const hard: ReachedLevel[] = [];
  // A budget of nothing is how administrators shut something off.
  if (budget !== undefined && budget > 0) {
    const whole = budget + more;
    if (spent >= whole)
      hard.push({ event: "budget_crossed", name: "all", message: "Budget Crossed", budget, from: whole });
    for (const part of THRESHOLDS)
      if (spent >= whole * part)
        hard.push({
          event: "threshold_crossed",
          name: String(part),
          message: `${Math.round((1 - part) * 100)}% Threshold Crossed`,
          budget,
          from: whole * part,
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
