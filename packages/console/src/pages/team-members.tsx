import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { ask, send } from "../api/client.ts";
import { mayDo } from "../api/may.ts";
import type { Session, Team, TeamInfo, TeamMember } from "../api/types.ts";
import { budgetText } from "../ui/budget.ts";
import { DataTable } from "../ui/data-table.tsx";
import { dollars } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Removal } from "../ui/removal.tsx";
import { RowButtons } from "../ui/row-buttons.tsx";
import { useAction } from "../ui/use-action.tsx";
import { EntityForm, type Field, type Values } from "./entity-form.tsx";

const WHO: readonly Field[] = [
  { name: "user_id", label: "User's id", kind: "text", description: "Or the e-mail; unknown users are made" },
  { name: "user_email", label: "E-mail", kind: "text" },
];
const ROLE: Field = {
  name: "role",
  label: "Role",
  kind: "choice",
  options: ["user", "admin"],
  description: "An admin of the team manages its members and keys",
};
const LIMITS: readonly Field[] = [
  { name: "max_budget_in_team", label: "Budget in the team, in dollars", kind: "number" },
  { name: "budget_duration", label: "Budget resets every", kind: "text", description: "30d, 1mo, 12h" },
];

interface TeamMembersProps {
  readonly session: Session;
  readonly teamId: string;
}

/** Who is in a team, as what, and what each may spend there. */
export function TeamMembers({ session, teamId }: TeamMembersProps): ReactNode {
  const query = useQuery({
    queryKey: ["teams", "members", teamId],
    queryFn: () => ask<TeamInfo>("team/info", { query: { team_id: teamId } }),
  });
  const team = query.data?.team_info;
  const [edited, edit] = useState<TeamMember | "new">();
  const [doomed, setDoomed] = useState<TeamMember>();
  const save = useAction(
    "teams",
    ({ user_id, user_email, role, ...limits }: Values) =>
      edited === "new"
        ? send("team/member_add", {
            method: "POST",
            body: { team_id: teamId, member: { user_id, user_email, role: role ?? "user" }, ...limits },
          })
        : send("team/member_update", {
            method: "POST",
            body: { team_id: teamId, user_id: edited?.user_id, role, ...limits },
          }),
    () => edit(undefined),
  );
  const remove = useAction(
    "teams",
    ({ user_id }: TeamMember) =>
      send("team/member_delete", { method: "POST", body: { team_id: teamId, user_id } }),
    () => setDoomed(undefined),
  );
  const target = { teamId, organizationIds: [team?.organization_id] };
  const manages = mayDo(session, "POST /team/member_add", target);
  // A team's admin makes and removes no other one.
  const namesAdmins = mayDo(session, "POST /team/block", target);
  const fields = [...(edited === "new" ? WHO : []), ...(namesAdmins ? [ROLE] : []), ...LIMITS];
  const title = team === undefined ? "Members" : `Members of ${nameOf(team)}`;
  return (
    <Page
      title={title}
      actions={
        <>
          <Button variant="default" component={Link} to="/teams">
            All teams
          </Button>
          {manages && <Button onClick={() => edit("new")}>Add a member</Button>}
        </>
      }
    >
      <DataTable
        label={title}
        query={query}
        rows={query.data?.team_memberships}
        idOf={({ user_id }) => user_id}
        empty="Nobody is in this team yet."
        columns={[
          { title: "User", cell: ({ user_id }) => <Text size="sm">{user_id}</Text> },
          { title: "Role", cell: ({ role }) => role },
          {
            title: "Spend in the team",
            cell: ({ spend }) => (spend === undefined ? "–" : dollars(spend)),
            right: true,
          },
          {
            title: "Budget in the team",
            cell: ({ max_budget_in_team, ...more }) =>
              budgetText({ ...more, max_budget: max_budget_in_team }),
            right: true,
          },
          {
            title: "Change",
            cell: (member) => (
              <RowButtons
                name={member.user_id}
                links={[
                  [
                    "Requests",
                    `/requests?${new URLSearchParams({ team_id: teamId, user_id: member.user_id })}`,
                  ],
                ]}
                buttons={[
                  manages && ["Edit", () => edit(member)],
                  manages && (namesAdmins || member.role !== "admin") && ["Remove", () => setDoomed(member)],
                ]}
              />
            ),
          },
        ]}
      />
      {edited !== undefined && (
        <EntityForm
          title={edited === "new" ? "Add a member" : `Change ${edited.user_id}`}
          fields={fields}
          edited={edited}
          save={save}
          onClose={() => edit(undefined)}
        />
      )}
      <Removal
        doomed={doomed}
        question={({ user_id }) => `${user_id} leaves the team; the keys that are theirs in it are deleted.`}
        remove={remove}
        onClose={() => setDoomed(undefined)}
      />
    </Page>
  );
}

const nameOf = ({ team_alias, team_id }: Team): string => team_alias ?? team_id;
