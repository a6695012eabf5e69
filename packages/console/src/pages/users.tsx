import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { ask, send } from "../api/client.ts";
import { mayDo } from "../api/may.ts";
import type { Session, User, UserPage } from "../api/types.ts";
import { budgetText, dollarsOf } from "../ui/budget.ts";
import { DataTable, Pager } from "../ui/data-table.tsx";
import { dollars } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { RowButtons } from "../ui/row-buttons.tsx";
import { NewKey } from "../ui/secret.tsx";
import { useAction } from "../ui/use-action.tsx";
import { useBudgetFields } from "./budget-names.ts";
import { EntityForm, type Field, type Values } from "./entity-form.tsx";
import { type Raised, RaiseForm } from "./raise-form.tsx";

const FIELDS: readonly Field[] = [
  { name: "user_email", label: "E-mail", kind: "text" },
  {
    name: "user_role",
    label: "Role",
    kind: "choice",
    options: ["proxy_admin", "proxy_admin_viewer", "internal_user", "internal_user_viewer"],
  },
];

/** People: roles, budgets and what they spent. */
export function UsersPage({ session }: { readonly session: Session }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get("page") ?? "1");
  const query = useQuery({
    queryKey: ["users", page],
    queryFn: () => ask<UserPage>("user/list", { query: { page, page_size: 25 } }),
    placeholderData: keepPreviousData,
  });
  const budget = useBudgetFields(session);
  const [edited, edit] = useState<User | "new">();
  const [raised, raise] = useState<Raised>();
  const [doomed, setDoomed] = useState<User>();
  const [secret, setSecret] = useState<string>();
  const save = useAction(
    "users",
    (values: Values) =>
      edited === "new"
        ? ask<{ key?: string }>("user/new", { method: "POST", body: values })
        : ask<{ key?: string }>("user/update", {
            method: "POST",
            body: { user_id: edited?.user_id, ...values },
          }),
    ({ key }) => {
      if (edited === "new") setSecret(key);
      edit(undefined);
    },
  );
  const remove = useAction(
    "users",
    ({ user_id }: User) => send("user/delete", { method: "POST", body: { user_ids: [user_id] } }),
    () => setDoomed(undefined),
  );
  return (
    <Page
      title="Users"
      actions={mayDo(session, "POST /user/new") && <Button onClick={() => edit("new")}>Create a user</Button>}
    >
      {secret !== undefined && <NewKey secret={secret} onClose={() => setSecret(undefined)} />}
      <DataTable
        label="Users"
        query={query}
        rows={query.data?.users}
        idOf={({ user_id }) => user_id}
        empty="There is no user yet."
        columns={[
          { title: "E-mail", cell: ({ user_email }) => user_email ?? "–" },
          { title: "Id", cell: ({ user_id }) => user_id },
          { title: "Role", cell: ({ user_role }) => user_role ?? "–" },
          { title: "Spend", cell: ({ spend }) => dollars(spend), right: true },
          {
            title: "Budget",
            cell: budgetText,
            right: true,
          },
          {
            title: "Change",
            cell: (user) => (
              <RowButtons
                name={user.user_id}
                links={[["Requests", `/requests?user_id=${encodeURIComponent(user.user_id)}`]]}
                buttons={[
                  mayDo(session, "POST /user/update", targetOf(user)) && ["Edit", () => edit(user)],
                  mayDo(session, "POST /user/update", targetOf(user)) &&
                    dollarsOf(user) !== undefined && ["Raise", () => raise(raisedOf(user))],
                  mayDo(session, "POST /user/delete", targetOf(user)) && ["Delete", () => setDoomed(user)],
                ]}
              />
            ),
          },
        ]}
      />
      <Pager
        page={page}
        pages={query.data?.total_pages ?? 1}
        onChange={(next) => setSearch({ page: String(next) })}
      />
      {edited !== undefined && (
        <EntityForm
          title={edited === "new" ? "Create a user" : `Change ${edited.user_email ?? edited.user_id}`}
          fields={[...fieldsFor(session, edited), ...budget]}
          edited={edited}
          save={save}
          onClose={() => edit(undefined)}
        />
      )}
      {raised !== undefined && <RaiseForm raised={raised} onClose={() => raise(undefined)} />}
      <Removal
        doomed={doomed}
        question={(thing) => `The user ${thing.user_email ?? thing.user_id} and their keys are deleted.`}
        remove={remove}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  );
}

const raisedOf = (user: User): Raised => ({
  kind: "users",
  path: "user/update",
  id: { user_id: user.user_id },
  name: user.user_email ?? user.user_id,
  budget: dollarsOf(user) ?? 0,
});

const targetOf = ({ organization_memberships = [] }: User) => ({
  organizationIds: organization_memberships.map(({ organization_id }) => organization_id),
});

/** Whoever administers organizations alone makes users of these, and no administrators of the gateway. */
function fieldsFor({ may }: Session, edited: User | "new"): readonly Field[] {
  const { all = false, organizations = [] } = may["POST /user/new"] ?? {};
  if (all) return FIELDS;
  const own = FIELDS.map((field) =>
    field.name === "user_role" ? { ...field, options: ["internal_user", "internal_user_viewer"] } : field,
  );
  if (edited !== "new") return own;
  return [{ name: "organizations", label: "Organizations", kind: "list", options: organizations }, ...own];
}
