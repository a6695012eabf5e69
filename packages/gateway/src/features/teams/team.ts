import type { JsonObject } from "../../contract/json.ts";
import { memberObject } from "../../core/auth/issue/memberships.ts";
import { withSpend } from "../../core/auth/management/entity-spend.ts";
import { changing, type Managed } from "../../core/auth/management/management.ts";
import type { Change } from "../../core/auth/records/change.ts";
import { entityObject, missing, requireEntity, TEAM } from "../../core/auth/records/entities.ts";
import type { EntityRow, MembershipRow } from "../../core/auth/records/entity-tables.ts";

/** Runs a change of a team; answers the team as it is then, as callers see it. */
export async function changingTeam(
  managed: Managed,
  work: (under: Change) => Promise<EntityRow>,
): Promise<JsonObject> {
  const { row, members } = await changing(managed, async (under) => {
    const row = await work(under);
    return { row, members: await membersOf(under, row) };
  });
  return shownTeam(managed, row, members);
}

/** A team as callers see it, with what it has spent and when its budget resets. */
export async function shownTeam(
  { parts }: Managed,
  row: EntityRow,
  members: readonly Named[],
): Promise<JsonObject> {
  return (await withSpend(parts, [row], () => teamObject(row, members)))[0]!;
}

export async function requireTeam({ actor }: Managed, under: Change, id: string): Promise<EntityRow> {
  const row = await requireEntity(under, TEAM, id);
  if (!actor.reaches(targetOf(row))) throw missing(TEAM, id);
  return row;
}

export function targetOf(row: EntityRow) {
  return { organizationIds: [row.organization_id], teamId: row.id };
}

export function administersOrganization({ actor }: Managed, row: EntityRow): boolean {
  return actor.administers({ organizationIds: [row.organization_id] });
}

async function membersOf({ db }: Change, team: EntityRow): Promise<JsonObject[]> {
  const rows = await db
    .selectFrom("memberships")
    .selectAll()
    .where("kind", "=", "team")
    .where("parent_id", "=", team.id)
    .orderBy("created_at")
    .orderBy("user_id")
    .execute();
  return rows.map(memberObject);
}

/** What a team shows of a member. */
type Named = Pick<MembershipRow, "user_id" | "role"> | JsonObject;

/** @param members whoever is in it, in this order */
export function teamObject(row: EntityRow, members: readonly Named[]): JsonObject {
  const ids = (role: string) => members.filter((each) => each.role === role).map((each) => each.user_id);
  return {
    ...entityObject(TEAM, row),
    admins: ids("admin"),
    members: ids("user"),
    members_with_roles: members.map(({ user_id, role }) => ({ user_id, role })),
  };
}
