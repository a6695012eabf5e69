import { checkQuery } from "../../contract/check.ts";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import { SimpleEntities } from "../../core/auth/management/simple-entities.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { providerBudgets } from "./provider-budgets.ts";
import {
  budgetDescription,
  budgetFields,
  budgetQuery,
  namedBudget,
  namedBudgets,
  newBudgetBody,
  updateBudgetBody,
} from "./schema.ts";

const budgets = new SimpleEntities(budgetFields);

/** LiteLLM's `/budget/*`. */
export function openBudgets({ keys }: Core, { config }: Pick<Platform, "config">): Feature {
  const routes = managementRoutes(keys, "budget_management", {
    "POST /budget/new": (managed) => budgets.create(managed, newBudgetBody),
    "POST /budget/update": (managed) => budgets.update(managed, updateBudgetBody),
    "POST /budget/delete": deleteBudget,
    "POST /budget/info": async (managed) => {
      const { budgets: ids } = await parseJsonBody(managed.exchange, namedBudgets);
      return Promise.all(ids.map((id) => budgets.show(managed, id)));
    },
    "GET /budget/list": (managed) => budgets.list(managed),
    "GET /budget/settings": showSettings,
    "GET /provider/budgets": ({ parts }) => providerBudgets(parts, config.current),
  });
  return { routes, descriptions: [budgetDescription] };
}

async function deleteBudget(managed: Managed): Promise<JsonObject> {
  const { id } = await parseJsonBody(managed.exchange, namedBudget);
  const { keys, entities } = managed.parts;
  const deleted = await budgets.delete(managed, [id], async ({ db }) => {
    // Without its budget whoever names it would have no limit at all.
    const key = await keys.findByBudget(id, db);
    const entity = await entities.findByBudget(id, db);
    const by = key === undefined ? entity && `${entity.kind} ${entity.id}` : `key ${key.key_name}`;
    if (by !== undefined)
      throw invalidRequest(`The budget ${id} is named by the ${by}; change that first`, "id");
  });
  return deleted[0]!;
}

async function showSettings(managed: Managed): Promise<JsonObject[]> {
  const budget = await budgets.show(managed, checkQuery(budgetQuery, managed.exchange.query).budget_id);
  return Object.entries(budgetFields.fields).map(([name, schema]) => ({
    field_name: name,
    field_type: { string: "String", number: "Float", integer: "Integer" }[String(schema.type)] ?? "Object",
    field_description: schema.description ?? "",
    field_value: budget[name] ?? null,
    stored_in_db: budget[name] !== undefined,
  }));
}
