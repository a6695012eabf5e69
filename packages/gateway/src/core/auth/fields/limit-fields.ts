import { increaseFields } from "./model-scopes.ts";
import { count, dollars, length, name, rollover } from "./restriction-fields.ts";

/** Limits and budgets of what stands above keys, in LiteLLM's words; all calls under it share them. `null` takes one away. */
export const limitFields = {
  max_budget: dollars("US dollars per `budget_duration`, or in all, that all calls under it may cost."),
  soft_budget: dollars("Has alerts sent when it is spent, and refuses nothing."),
  budget_duration: length("A budget window"),
  max_rollover: rollover,
  rpm_limit: count("Requests per minute of all calls under it."),
  tpm_limit: count("Tokens per minute of all calls under it."),
  max_parallel_requests: count("Calls under it in flight at the same moment."),
  ...increaseFields,
  budget_id: name("The budget whose limits hold where it has none of its own."),
};
