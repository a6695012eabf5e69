import { invalidRequest } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf, ownMember } from "../../../contract/json.ts";

/** What is rolled over, by the fields of the budget and of its window that it needs. */
const rollovers = [
  {
    field: "max_rollover",
    budgets: ["max_budget", "max_budget_in_team", "budget_limit"],
    windows: ["budget_duration", "time_period"],
  },
  {
    field: "team_member_max_rollover",
    budgets: ["team_member_budget"],
    windows: ["team_member_budget_duration"],
  },
] as const;

/**
 * `max_rollover` is no field of LiteLLM's, so that nobody sends it by the way: without a budget that begins anew it would
 * have no effect, and is refused. One that was stored before may stay when the budget goes.
 * @param next the limits of a level after the change, beside those that it inherits
 * @param before those so far
 * @throws GatewayError 400
 */
export function requireBudgetToRollOver(next: JsonObject, before: JsonObject, where = ""): void {
  for (const { field, budgets, windows } of rollovers) {
    const most = next[field];
    if (most == null || most === 0 || most === before[field] || next.budget_id != null) continue;
    const lacks = [budgets, windows].filter((names) => !names.some((name) => next[name] != null));
    if (lacks.length === 0) continue;
    const missing = lacks.map(([first]) => first).join(" and ");
    throw invalidRequest(`${where}${field}: nothing is rolled over without ${missing}`, `${where}${field}`);
  }
  if (!isJsonObject(next.model_max_budget)) return;
  const stored = objectOf(before.model_max_budget);
  for (const [model, limits] of Object.entries(next.model_max_budget)) {
    const earlier = ownMember(stored, model);
    if (isJsonObject(limits))
      requireBudgetToRollOver(limits, objectOf(earlier), `model_max_budget.${model}.`);
  }
}
