import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { send } from "../api/client.ts";
import { mayDo } from "../api/may.ts";
import type { NamedBudget, Session } from "../api/types.ts";
import { DataTable } from "../ui/data-table.tsx";
import { count, dollars, moment } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { RowButtons } from "../ui/row-buttons.tsx";
import { useAction } from "../ui/use-action.tsx";
import { useBudgets } from "./budget-names.ts";
import { EntityForm, type Field, type Values } from "./entity-form.tsx";

const NAME: Field = {
  name: "budget_id",
  label: "Name",
  kind: "text",
  description: "By which keys, teams and users name it; made up where it is missing",
};
const FIELDS: readonly Field[] = [
  { name: "max_budget", label: "Budget in dollars", kind: "number" },
  { name: "soft_budget", label: "Tell somebody at, in dollars", kind: "number" },
  { name: "budget_duration", label: "Budget resets every", kind: "text", description: "30d, 1mo, 12h" },
  { name: "max_rollover", label: "Rolls over at most, in dollars", kind: "number" },
  { name: "rpm_limit", label: "Requests a minute", kind: "number" },
  { name: "tpm_limit", label: "Tokens a minute", kind: "number" },
];

/** Limits that keys, teams and users name; each has them for itself. */
export function BudgetsPage({ session }: { readonly session: Session }): ReactNode {
  const query = useBudgets(session);
  const [edited, edit] = useState<NamedBudget | "new">();
  const [doomed, setDoomed] = useState<NamedBudget>();
  const save = useAction(
    "budgets",
    (values: Values) =>
      edited === "new"
        ? send("budget/new", { method: "POST", body: values })
        : send("budget/update", { method: "POST", body: { budget_id: edited?.budget_id, ...values } }),
    () => edit(undefined),
  );
  const remove = useAction(
    "budgets",
    ({ budget_id }: NamedBudget) => send("budget/delete", { method: "POST", body: { id: budget_id } }),
    () => setDoomed(undefined),
  );
  const changes = mayDo(session, "POST /budget/new");
  return (
    <Page title="Budgets" actions={changes && <Button onClick={() => edit("new")}>Create a budget</Button>}>
      <DataTable
        label="Budgets"
        query={query}
        rows={query.data}
        idOf={({ budget_id }) => budget_id}
        empty="There is no budget yet."
        columns={[
          { title: "Name", cell: ({ budget_id }) => budget_id },
          {
            title: "Budget",
            cell: ({ max_budget }) => (max_budget == null ? "none" : dollars(max_budget)),
            right: true,
          },
          { title: "Resets every", cell: ({ budget_duration }) => budget_duration ?? "never" },
          {
            title: "Begins anew",
            cell: ({ budget_reset_at }) => (budget_reset_at == null ? "–" : moment(budget_reset_at)),
          },
          { title: "Requests a minute", cell: ({ rpm_limit }) => limit(rpm_limit), right: true },
          { title: "Tokens a minute", cell: ({ tpm_limit }) => limit(tpm_limit), right: true },
          {
            title: "Change",
            cell: (budget) => (
              <RowButtons
                name={budget.budget_id}
                buttons={[
                  changes && ["Edit", () => edit(budget)],
                  changes && ["Delete", () => setDoomed(budget)],
                ]}
              />
            ),
          },
        ]}
      />
      {edited !== undefined && (
        <EntityForm
          title={edited === "new" ? "Create a budget" : `Change ${edited.budget_id}`}
          fields={edited === "new" ? [NAME, ...FIELDS] : FIELDS}
          edited={edited}
          save={save}
          onClose={() => edit(undefined)}
        />
      )}
      <Removal
        doomed={doomed}
        question={({ budget_id }) => `The budget ${budget_id} goes; one that something names is refused.`}
        remove={remove}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  );
}

const limit = (each: number | null | undefined): string => (each == null ? "none" : count(each));
