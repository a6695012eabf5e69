import { check } from "../../contract/check.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { putMember } from "../../core/auth/issue/memberships.ts";
import { type EntityType, ORGANIZATION, TEAM, UNENFORCED_LIMITS } from "../../core/auth/records/entities.ts";
import { ownerOfMember } from "../../core/auth/records/entity-store.ts";
import type { EntityRow, MembershipRow } from "../../core/auth/records/entity-tables.ts";
import { ensureUser } from "../../core/auth/records/named-user.ts";
import { memberLimitNames, updateMemberBody } from "../../features/teams/schema.ts";
import { limitsIn } from "./entities.ts";
import {
  enforced,
  type ImportRun,
  openStep,
  readable,
  type Step,
  spentInWindow,
  takeRows,
} from "./import-run.ts";
import { type Item, markOf } from "./target.ts";
import { objectIn, present, spendIn, textIn, textsIn } from "./values.ts";

/** A user in a team or an organization, as the source has it. */
interface Member {
  readonly parentId: string;
  readonly userId: string;
  readonly role: string;
  /** Of the source, with what was spent. */
  readonly row: JsonObject;
  readonly settings: JsonObject;
  readonly duration: string | undefined;
}

/** Takes over who is in which team, with each member's limits and spend there. */
export async function importTeamMembers(run: ImportRun): Promise<void> {
  const step = openStep(run, "member", "LiteLLM_TeamMembership", "members of teams");
  if (step === undefined) return;
  const total = await run.source.count("LiteLLM_TeamTable");
  let done = 0;
  for await (const teams of run.source.rows("LiteLLM_TeamTable")) {
    const ids = teams.flatMap((team) => textIn(team, "team_id") ?? []);
    const memberships = await run.source.find("LiteLLM_TeamMembership", "team_id", ids);
    const spendRows = new Map(
      memberships.map((row) => [nameOf(String(row.team_id), String(row.user_id)), row]),
    );
    const members = teams.flatMap((team) => membersOf(step, team, spendRows));
    step.report.rows += members.length;
    await run.target.take(step, await itemsOf(step, TEAM, members));
    done += teams.length;
    run.progress("teams looked at for members", done, total);
  }
}

/** Takes over who is in which organization. */
export async function importOrganizationMembers(run: ImportRun): Promise<void> {
  const table = "LiteLLM_OrganizationMembership";
  const step = openStep(run, "organization member", table, "members of organizations");
  if (step === undefined) return;
  await takeRows(step, (rows) => {
    const members = rows.map((row): Member => {
      const [parentId, userId] = [String(row.organization_id), String(row.user_id)];
      if (textIn(row, "budget_id") !== undefined)
        step.report.note(
          nameOf(parentId, userId),
          "budget_id, which is not enforced here: give it to the keys",
        );
      const role = textIn(row, "user_role") ?? "";
      const isKnown = ["org_admin", "internal_user", "internal_user_viewer"].includes(role);
      return {
        parentId,
        userId,
        role: isKnown ? role : "internal_user",
        row,
        settings: {},
        duration: undefined,
      };
    });
    return itemsOf(step, ORGANIZATION, members);
  });
}

function membersOf(step: Step, team: JsonObject, spendRows: ReadonlyMap<string, JsonObject>): Member[] {
  const teamId = textIn(team, "team_id") ?? "";
  const shared = textIn(objectIn(team, "metadata"), "team_member_budget_id");
  const listed = Array.isArray(team.members_with_roles) ? team.members_with_roles.filter(isJsonObject) : [];
  const roles = new Map<string, string>([
    ...textsIn(team, "members").map((id) => [id, "user"] as const),
    ...textsIn(team, "admins").map((id) => [id, "admin"] as const),
  ]);
  for (const member of listed) {
    const id = textIn(member, "user_id");
    if (id !== undefined) roles.set(id, member.role === "admin" ? "admin" : "user");
    else step.run.target.leave(step, nameOf(teamId, String(member.user_email)), "it has no user_id");
  }
  return [...roles].flatMap(([userId, role]) => {
    const name = nameOf(teamId, userId);
    const row = spendRows.get(name) ?? {};
    const budgetId = textIn(row, "budget_id");
    const budget = budgetId === shared ? undefined : step.run.budgets.get(budgetId ?? "");
    const settings = budget === undefined ? {} : settingsOf(step, name, budget.row);
    return settings === undefined
      ? []
      : [
          {
            parentId: teamId,
            userId,
            role,
            row: { ...budget?.row, ...row },
            settings,
            duration: budget?.duration,
          },
        ];
  });
}

const UNENFORCED_BY_MEMBERS = new Map([
  ...UNENFORCED_LIMITS,
  ["max_parallel_requests", "give it to the keys"],
]);

/** A member's limits. @returns nothing where they cannot be read; the report says why */
function settingsOf(step: Step, name: string, budget: JsonObject): JsonObject | undefined {
  const { max_budget, ...limits } = limitsIn(budget);
  const all = present({
    ...limits,
    max_budget_in_team: max_budget,
    allowed_models: textsIn(budget, "allowed_models"),
  });
  const settings = enforced(step, name, all, UNENFORCED_BY_MEMBERS);
  return (
    settings &&
    readable(step, name, settings, (given) => {
      const body = check(updateMemberBody, { team_id: "team", ...given }) as JsonObject;
      return present(Object.fromEntries(memberLimitNames.map((limit) => [limit, body[limit]])));
    })
  );
}

async function itemsOf(step: Step, type: EntityType, members: readonly Member[]): Promise<Item[]> {
  const { target } = step.run;
  const { db } = target.store;
  const kind = type.kind as MembershipRow["kind"];
  const parentIds = [...new Set(members.map(({ parentId }) => parentId)), ""];
  const parents = await db
    .selectFrom("entities")
    .selectAll()
    .where("kind", "=", kind)
    .where("id", "in", parentIds)
    .execute();
  const parentBy = new Map(parents.map((row) => [row.id, row]));
  const found = await db
    .selectFrom("memberships")
    .selectAll()
    .where("kind", "=", kind)
    .where("parent_id", "in", parentIds)
    .execute();
  const hereBy = new Map(found.map((row) => [nameOf(row.parent_id, row.user_id), row]));
  return members.flatMap((member) => {
    const name = nameOf(member.parentId, member.userId);
    const parent = parentBy.get(member.parentId);
    const missing =
      target.missing({ [kind]: member.parentId, user: member.userId }) ??
      (parent !== undefined || target.isPlanned(kind, member.parentId)
        ? undefined
        : `there is no such ${kind}`);
    if (missing !== undefined) {
      target.leave(step, name, missing);
      return [];
    }
    return [itemOf(type, name, member, parent, hereBy.get(name))];
  });
}

function itemOf(
  type: EntityType,
  name: string,
  { userId, role, row, settings, duration }: Member,
  parent: EntityRow | undefined,
  here: MembershipRow | undefined,
): Item {
  const ownerIn = (found: MembershipRow) => ({
    name: ownerOfMember(found),
    isKey: false,
    limits: duration === undefined ? {} : { budgetDuration: duration },
  });
  // Calls count for members of teams alone.
  const spent = type === TEAM ? Math.max(spendIn(row), spendIn(row, "total_spend")) : 0;
  return {
    id: name,
    body: { role, settings },
    spent,
    spentInWindow: spentInWindow(row, spendIn(row)),
    here: here && markIn(here),
    owner: here && ownerIn(here),
    write: async (under) => {
      const user = await ensureUser(under, { user_id: userId });
      const written = await putMember(under, type, parent!, user.id, role, settings);
      return { mark: markIn(written), owner: ownerIn(written) };
    },
  };
}

function markIn({ role, settings }: MembershipRow): string {
  return markOf({ role, settings });
}

/** Names a member in reports and in the store. */
function nameOf(parentId: string, userId: string): string {
  return JSON.stringify([parentId, userId]);
}
