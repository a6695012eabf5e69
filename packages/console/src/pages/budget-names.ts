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

/** What a form asks for to name a budget; nothing where there is none to be named. */
export function useBudgetField(session: Session): readonly Field[] {
  const { data = [] } = useBudgets(session);
  if (data.length === 0) return [];
  const options = data.map(({ budget_id }) => budget_id);
  const description = "Holds where nothing is said of its own below";
  return [{ name: "budget_id", label: "Budget by name", kind: "choice", options, description }];
}
