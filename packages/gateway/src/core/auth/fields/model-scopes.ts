import { invalidRequest } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { modelOwner } from "../../../contract/owner-name.ts";
import type { LimitScope, ModelScope } from "../../../contract/principal.ts";
import { closed, either, given, map, text } from "../../../contract/schema.ts";
import { type LimitSettings, limitsOf } from "./limits-of.ts";
import { count, dollars, length, requireTime, rollover } from "./restriction-fields.ts";

/** Models that one level limits; each has sums of its own. */
const MAX_MODELS = 100;
const MAX_NAME = 256;
/** No control characters: neither log nor database takes them. */
const VISIBLE = /^[^\p{Cc}]+$/u;

const budget = (about: string) =>
  either(dollars(about), text(about, { pattern: "^\\d{1,15}(\\.\\d{1,12})?([eE]-?\\d{1,2})?$" }));

/** A model's budget in both of LiteLLM's spellings. */
const modelBudget = closed(
  given({
    max_budget: budget("US dollars."),
    budget_limit: budget("The same."),
    budget_duration: length("A budget window"),
    time_period: length("The same"),
    max_rollover: rollover,
    rpm_limit: count("Requests per minute."),
    tpm_limit: count("Tokens per minute."),
  }),
);

/** Limits for some models alone, by their names, wildcards allowed. */
export const modelLimitFields = {
  model_max_budget: map(modelBudget, "Budgets for models by their names, wildcards allowed."),
  model_rpm_limit: map(count("Requests per minute."), "Requests per minute for models by their names."),
  model_tpm_limit: map(count("Tokens per minute."), "Tokens per minute for models by their names."),
};

/** A budget that is larger for a time. */
export const increaseFields = {
  temp_budget_increase: dollars("US dollars that the budget has more until `temp_budget_expiry`."),
  temp_budget_expiry: text("Until when, such as 2026-12-31 or 2026-12-31T12:00:00Z.", {
    pattern: "^\\d{4}-\\d{2}-\\d{2}([T ][\\d:.]{5,20}(Z|[+-]\\d{2}:\\d{2})?)?$",
    examples: ["2026-12-31"],
  }),
};

/** Settings that limit some models. */
export interface ModelSettings {
  readonly model_max_budget?: Readonly<Record<string, ModelBudget>> | null;
  readonly model_rpm_limit?: Readonly<Record<string, number>> | null;
  readonly model_tpm_limit?: Readonly<Record<string, number>> | null;
}

interface ModelBudget {
  readonly max_budget?: number | string | null;
  readonly budget_limit?: number | string | null;
  readonly budget_duration?: string | null;
  readonly time_period?: string | null;
  readonly max_rollover?: number | null;
  readonly rpm_limit?: number | null;
  readonly tpm_limit?: number | null;
}

/** The limits of one level for some models alone. */
export function modelScopesOf(
  { owner, name }: Pick<LimitScope, "owner" | "name">,
  { model_max_budget: budgets, model_rpm_limit: requests, model_tpm_limit: tokens }: ModelSettings,
): ModelScope[] {
  const models = new Set([budgets, requests, tokens].flatMap((each) => Object.keys(each ?? {})));
  return [...models].map((model) => {
    const { max_budget, budget_limit, budget_duration, time_period, ...others } = budgets?.[model] ?? {};
    const dollarsOf = max_budget ?? budget_limit;
    const settings: LimitSettings = {
      rpm_limit: requests?.[model],
      tpm_limit: tokens?.[model],
      ...others,
      max_budget: dollarsOf == null ? undefined : Number(dollarsOf),
      budget_duration: budget_duration ?? time_period,
    };
    const limits = limitsOf(settings);
    return { model, scope: { owner: modelOwner(owner, model), name: `${name} for ${model}`, limits } };
  });
}

/** @throws GatewayError 400 for names of models that cannot be kept, and for an increase without a valid time */
export function requireModelLimits(fields: JsonObject): void {
  for (const param of Object.keys(modelLimitFields)) {
    const limits = fields[param];
    if (!isJsonObject(limits)) continue;
    const models = Object.keys(limits);
    if (models.length > MAX_MODELS)
      throw invalidRequest(`${param}: at most ${MAX_MODELS} models have limits of their own`, param);
    const wrong = models.find(
      (name) => name.length > MAX_NAME || !VISIBLE.test(name) || !name.isWellFormed(),
    );
    if (wrong !== undefined) throw invalidRequest(`${param}: expected names of models`, param);
  }
  const { temp_budget_increase: increase, temp_budget_expiry: expiry } = fields;
  if (typeof increase === "number" && typeof expiry !== "string")
    throw invalidRequest("temp_budget_expiry: say until when the increase holds", "temp_budget_expiry");
  if (typeof expiry !== "string") return;
  const time = Date.parse(expiry);
  if (Number.isNaN(time))
    throw invalidRequest("temp_budget_expiry: expected a date such as 2026-12-31", "temp_budget_expiry");
  requireTime(time, "temp_budget_expiry");
}
