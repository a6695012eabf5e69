import { Button, Group } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { ask, send } from "../api/client.ts";
import type { User, UserPage } from "../api/types.ts";
import { DataTable, Pager } from "../ui/data-table.tsx";
import { dollars } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { NewKey } from "../ui/secret.tsx";
import { useAction } from "../ui/use-action.tsx";
import { EntityForm, type Field, type Values } from "./entity-form.tsx";

const FIELDS: readonly Field[] = [
  { name: "user_email", label: "E-mail", kind: "text" },
  {
    name: "user_role",
    label: "Role",
    kind: "choice",
    options: ["proxy_admin", "proxy_admin_viewer", "internal_user", "internal_user_viewer"],
  },
  { name: "max_budget", label: "Budget in dollars", kind: "number" },
  { name: "budget_duration", label: "Budget resets every", kind: "text", description: "30d, 1mo, 12h" },
  { name: "max_rollover", label: "Rolls over at most, in dollars", kind: "number" },
];

/** People: roles, budgets and what they spent. */
export function UsersPage(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get("page") ?? "1");
  const query = useQuery({
    queryKey: ["users", page],
    queryFn: () => ask<UserPage>("user/list", { query: { page, page_size: 25 } }),
    placeholderData: keepPreviousData,
  });
  const [edited, edit] = useState<User | "new">();
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
    <Page title="Users" actions={<Button onClick={() => edit("new")}>Create a user</Button>}>
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
            cell: ({ max_budget }) => (max_budget == null ? "none" : dollars(max_budget)),
            right: true,
          },
          {
            title: "Change",
            cell: (user) => (
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => edit(user)}
                  aria-label={`Edit ${user.user_id}`}
                >
                  Edit
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => setDoomed(user)}
                  aria-label={`Delete ${user.user_id}`}
                >
                  Delete
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  component={Link}
                  to={`/requests?user_id=${encodeURIComponent(user.user_id)}`}
                  aria-label={`Requests of ${user.user_id}`}
                >
                  Requests
                </Button>
              </Group>
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
          fields={FIELDS}
          given={edited === "new" ? undefined : { ...edited }}
          error={save.error}
          isPending={save.isPending}
          onSave={(values) => save.mutate(values)}
          onClose={() => {
            save.reset();
            edit(undefined);
          }}
        />
      )}
      <Removal
        doomed={doomed}
        question={(thing) => `The user ${thing.user_email ?? thing.user_id} and their keys are deleted.`}
        remove={remove}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  );
}
