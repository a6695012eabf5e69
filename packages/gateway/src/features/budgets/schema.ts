import { answers, type GroupDescription, type Operation, posted } from "../../contract/operation.ts";
import {
  amount,
  closed,
  given,
  list,
  map,
  object,
  orNull,
  type Schema,
  text,
  whole,
} from "../../contract/schema.ts";
import { count, dollars, length, name, rollover } from "../../core/auth/fields/restriction-fields.ts";
import { type EntityFields, entityBody } from "../../core/auth/records/entities.ts";

/** What a budget can be given. */
export const budgetFields: EntityFields = {
  type: { kind: "budget", table: "LiteLLM_BudgetTable", idField: "budget_id" },
  fields: {
    budget_id: name("Made up where it is missing."),
    max_budget: dollars("US dollars per `budget_duration`, or in all."),
    soft_budget: dollars("Has alerts sent when it is spent, and refuses nothing."),
    budget_duration: length("A budget window"),
    max_rollover: rollover,
    rpm_limit: count("Requests per minute."),
    tpm_limit: count("Tokens per minute."),
    max_parallel_requests: count("Calls in flight at the same moment."),
  },
  unenforced: new Map(
    [
      "model_max_budget",
      "tpd_limit",
      "budget_reset_at",
      "allowed_models",
      "temp_budget_increase",
      "temp_budget_expiry",
    ].map((limit) => [limit, "give max_budget or rpm_limit"]),
  ),
};

export const newBudgetBody = entityBody(budgetFields, []);
export const updateBudgetBody = entityBody(budgetFields, ["budget_id"]);
export const namedBudget = closed(given({ "id!": name("Which budget.") }));
export const namedBudgets = closed(given({ "budgets!": list(name(), undefined, { maxItems: 1000 }) }));
export const budgetQuery = object({ "budget_id!": name("Which budget.") });

const budget = object({
  budget_id: text(),
  max_budget: amount(),
  budget_duration: text(),
  rpm_limit: whole(),
});
const missing = { 404: { when: "There is no such budget." } };

function post(
  path: string,
  id: string,
  summary: string,
  request: Schema,
  answer: Schema = budget,
): Operation {
  return posted(
    { path: `/budget/${path}`, id, summary },
    request,
    answer,
    id === "createBudget" ? undefined : missing,
  );
}

/** LiteLLM's budgets. */
export const budgetDescription: GroupDescription = {
  tag: "Budgets",
  about: "Limits that several keys, teams, users and others name by `budget_id`; each has them for itself.",
  operations: [
    post("new", "createBudget", "Make a budget", newBudgetBody),
    post("update", "updateBudget", "Change a budget", updateBudgetBody),
    post("delete", "deleteBudget", "Delete a budget that nobody names any more", namedBudget),
    post("info", "retrieveBudgets", "Look at budgets", namedBudgets, list(budget)),
    {
      method: "GET",
      path: "/budget/list",
      id: "listBudgets",
      summary: "List budgets",
      answer: answers("The budgets.", list(budget)),
    },
    {
      method: "GET",
      path: "/budget/settings",
      id: "listBudgetSettings",
      summary: "Which fields a budget has, and what they are set to",
      query: budgetQuery,
      answer: answers("The fields.", list(object())),
      errors: missing,
    },
    {
      method: "GET",
      path: "/provider/budgets",
      id: "listProviderBudgets",
      summary: "Budgets of providers (`provider_budget_config`), and what is spent of them",
      answer: answers(
        "By provider.",
        object({
          "providers!": map(
            object({
              "budget_limit!": orNull(amount("US dollars.")),
              "time_period!": orNull(text()),
              "spend!": amount("US dollars since the period began."),
              "budget_reset_at!": orNull(text()),
            }),
          ),
        }),
      ),
    },
  ],
};
