import { Badge, Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";
import { ask, send } from "../api/client.ts";
import { mayDo } from "../api/may.ts";
import type { Session, Team, TeamPage } from "../api/types.ts";
import { budgetText, dollarsOf } from "../ui/budget.ts";
import { DataTable, Pager } from "../ui/data-table.tsx";
import { dollars } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { RowButtons } from "../ui/row-buttons.tsx";
import { Refusal, useAction } from "../ui/use-action.tsx";
import { useBudgetFields } from "./budget-names.ts";
import { EntityForm, type Field, type Values } from "./entity-form.tsx";
import { useModelNames } from "./model-names.ts";
import { type Raised, RaiseForm } from "./raise-form.tsx";
import { TeamMembers } from "./team-members.tsx";

/** The teams, or who is in the one that the address names. */
export function TeamsPage({ session }: { readonly session: Session }): ReactNode {
  const [search] = useSearchParams();
  const id = search.get("team_id");
  return id === null ? <Teams session={session} /> : <TeamMembers session={session} teamId={id} />;
}

/** Teams: members, budgets and what they spent. */
function Teams({ session }: { readonly session: Session }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = Number(search.get("page") ?? "1");
  const query = useQuery({
    queryKey: ["teams", page],
    queryFn: () => ask<TeamPage>("v2/team/list", { query: { page, page_size: 25 } }),
    placeholderData: keepPreviousData,
  });
  const [edited, edit] = useState<Team | "new">();
  const fields = useFields(session, edited);
  const [raised, raise] = useState<Raised>();
  const [doomed, setDoomed] = useState<Team>();
  const save = useAction(
    "teams",
    (values: Values) =>
      edited === "new"
        ? send("team/new", { method: "POST", body: values })
        : send("team/update", { method: "POST", body: { team_id: edited?.team_id, ...values } }),
    () => edit(undefined),
  );
  const block = useAction("teams", ({ team_id, blocked }: Team) =>
    send(blocked ? "team/unblock" : "team/block", { method: "POST", body: { team_id } }),
  );
  const remove = useAction(
    "teams",
    ({ team_id }: Team) => send("team/delete", { method: "POST", body: { team_ids: [team_id] } }),
    () => setDoomed(undefined),
  );
  return (
    <Page
      title="Teams"
      actions={mayDo(session, "POST /team/new") && <Button onClick={() => edit("new")}>Create a team</Button>}
    >
      <Refusal error={block.error} />
      <DataTable
        label="Teams"
        query={query}
        rows={query.data?.teams}
        idOf={({ team_id }) => team_id}
        empty="There is no team yet."
        columns={[
          { title: "Name", cell: nameOf },
          {
            title: "Members",
            cell: ({ members_with_roles = [] }) => members_with_roles.length,
            right: true,
          },
          { title: "Models", cell: ({ models }) => (models.length === 0 ? "all" : models.join(", ")) },
          { title: "Spend", cell: ({ spend }) => dollars(spend), right: true },
          {
            title: "Budget",
            cell: budgetText,
            right: true,
          },
          {
            title: "State",
            cell: ({ blocked }) => (
              <Badge color={blocked ? "red" : "green"} variant="dot">
                {blocked ? "blocked" : "in use"}
              </Badge>
            ),
          },
          {
            title: "Change",
            cell: (team) => (
              <RowButtons
                name={nameOf(team)}
                links={[
                  ["Members", `/teams?team_id=${encodeURIComponent(team.team_id)}`],
                  ["Requests", `/requests?team_id=${encodeURIComponent(team.team_id)}`],
                ]}
                buttons={[
                  mayDo(session, "POST /team/update", targetOf(team)) && ["Edit", () => edit(team)],
                  mayDo(session, "POST /team/block", targetOf(team)) &&
                    dollarsOf(team) !== undefined && ["Raise", () => raise(raisedOf(team))],
                  mayDo(session, "POST /team/block", targetOf(team)) && [
                    team.blocked ? "Unblock" : "Block",
                    () => block.mutate(team),
                  ],
                  mayDo(session, "POST /team/delete", targetOf(team)) && ["Delete", () => setDoomed(team)],
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
          title={edited === "new" ? "Create a team" : `Change ${nameOf(edited)}`}
          fields={fields}
          edited={edited}
          save={save}
          onClose={() => edit(undefined)}
        />
      )}
      {raised !== undefined && <RaiseForm raised={raised} onClose={() => raise(undefined)} />}
      <Removal
        doomed={doomed}
        question={(thing) => `The team ${nameOf(thing)} and its keys are deleted.`}
        remove={remove}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  );
}

const raisedOf = (team: Team): Raised => ({
  kind: "teams",
  path: "team/update",
  id: { team_id: team.team_id },
  name: nameOf(team),
  budget: dollarsOf(team) ?? 0,
});

const targetOf = ({ team_id, organization_id }: Team) => ({
  teamId: team_id,
  organizationIds: [organization_id],
});

const NAME: Field = { name: "team_alias", label: "Name", kind: "text" };

/** What may be said of a team: its name by its own administrators, and the rest by those of the organization above it. */
function useFields(session: Session, edited: Team | "new" | undefined): readonly Field[] {
  const names = useModelNames();
  const budget = useBudgetFields(session);
  const isNew = edited === "new";
  if (edited === undefined || !(isNew || mayDo(session, "POST /team/block", targetOf(edited)))) return [NAME];
  const { all = false, organizations = [] } = session.may["POST /team/new"] ?? {};
  return [
    NAME,
    ...(isNew && !all
      ? [{ name: "organization_id", label: "Organization", kind: "choice", options: organizations } as const]
      : []),
    { name: "models", label: "Models", kind: "list", options: names, description: "None: every model" },
    ...budget,
    { name: "rpm_limit", label: "Requests a minute", kind: "number" },
    { name: "tpm_limit", label: "Tokens a minute", kind: "number" },
  ];
}

const nameOf = ({ team_alias, team_id }: Team): string => team_alias ?? team_id;
