import { useQuery } from "@tanstack/react-query";
import { ask } from "../api/client.ts";
import { mayDo } from "../api/may.ts";
import type { NamedBudget, Session } from "../api/types.ts";
import type { Field } from "./entity-form.tsx";

/** The budgets that keys, teams and users can name; nothing is asked for those who may not see them. */
export function useBudgets(session: Session) {
  return useQuery({
    queryKey: ["budgets"],
    queryFn: () => ask<readonly NamedBudget[]>("budget/list"),
    enabled: mayDo(session, "GET /budget/list"),
  });
}

/** The names to choose from; undefined for those who may not see them and name one all the same. */
export function useBudgetNames(session: Session): readonly string[] | undefined {
  const { data = [] } = useBudgets(session);
  return mayDo(session, "GET /budget/list") ? data.map(({ budget_id }) => budget_id) : undefined;
}

/** What a form asks for about a budget: one by its name, where there is one to be named, and its own. */
export function useBudgetFields(session: Session): readonly Field[] {
  const options = useBudgetNames(session);
  const named = { name: "budget_id", label: "Budget by name", description: NAMED } as const;
  return [
    ...(options === undefined ? [{ ...named, kind: "text" } as const] : []),
    ...(options?.length ? [{ ...named, kind: "choice", options, clearable: true } as const] : []),
    ...OWN,
  ];
}

export const NAMED = "Holds where nothing is said of its own below";

const OWN: readonly Field[] = [
  { name: "max_budget", label: "Budget in dollars", kind: "number" },
  { name: "budget_duration", label: "Budget resets every", kind: "text", description: "30d, 1mo, 12h" },
  { name: "max_rollover", label: "Rolls over at most, in dollars", kind: "number" },
];
