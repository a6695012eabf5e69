import { isJsonObject } from "../../../contract/json.ts";
import type { KeyLimits } from "../../../contract/principal.ts";
import { amount, count, type Option, WrongValue, windowLength } from "./option.ts";

/** Limits by the names of those that have them. */
export type NamedLimits = Readonly<Record<string, KeyLimits>>;

type Members = Readonly<Record<string, readonly [limit: keyof KeyLimits, option: Option<unknown>]>>;

/** A budget of LiteLLM's `BudgetConfig`, with its second names. */
const budget: Members = {
  max_budget: ["maxBudget", amount(0, "")],
  budget_limit: ["maxBudget", amount(0, "")],
  budget_duration: ["budgetDuration", windowLength("")],
  time_period: ["budgetDuration", windowLength("")],
};

const limits: Members = { ...budget, rpm_limit: ["rpm", count(0, "")], tpm_limit: ["tpm", count(0, "")] };

/** Budgets and limits of a minute by name. */
export function namedLimits(doc: string): Option<NamedLimits> {
  return namedBy("a map from names to {max_budget, budget_duration, rpm_limit, tpm_limit}", limits, doc);
}

/** Budgets by name. */
export function namedBudgets(doc: string): Option<NamedLimits> {
  return namedBy("a map from names to {budget_limit, time_period}", budget, doc);
}

function namedBy(shape: string, members: Members, doc: string): Option<NamedLimits> {
  const read = (value: unknown): NamedLimits | WrongValue => {
    if (!isJsonObject(value)) return new WrongValue(`expected ${shape}`);
    const named: [string, KeyLimits][] = [];
    for (const [name, given] of Object.entries(value)) {
      const read = isJsonObject(given)
        ? readMembers(given, members)
        : new WrongValue("expected a map of limits");
      if (read instanceof WrongValue) return new WrongValue(read.message, [name, ...read.at]);
      named.push([name, read]);
    }
    return Object.fromEntries(named);
  };
  return { shape, initial: {}, doc, read };
}

function readMembers(given: Readonly<Record<string, unknown>>, members: Members): KeyLimits | WrongValue {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(members, name))
      return new WrongValue(`expected one of ${Object.keys(members).join(", ")}`, [name]);
    const [limit, option] = members[name]!;
    const result = value === null ? undefined : option.read(value);
    if (result instanceof WrongValue) return new WrongValue(result.message, [name]);
    if (result !== undefined) read[limit] = result;
  }
  return read;
}
