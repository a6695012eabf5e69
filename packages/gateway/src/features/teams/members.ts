import { forbidden, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { requireModelLimits } from "../../core/auth/fields/model-scopes.ts";
import { leave, memberObject, putMember, requireMember } from "../../core/auth/issue/memberships.ts";
import { membershipsWithSpend } from "../../core/auth/management/entity-spend.ts";
import { changing, type Managed } from "../../core/auth/management/management.ts";
import type { Change } from "../../core/auth/records/change.ts";
import { mergedSettings, settingsObject, TEAM } from "../../core/auth/records/entities.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import { ensureUser, findUser } from "../../core/auth/records/named-user.ts";
import {
  addMemberBody,
  bulkAddMembersBody,
  deleteMemberBody,
  memberLimitNames,
  updateMemberBody,
} from "./schema.ts";
import { administersOrganization, changingTeam, requireTeam, shownTeam } from "./team.ts";

export interface Member {
  readonly user_id?: string | null;
  readonly user_email?: string | null;
  readonly role: "admin" | "user";
}

export async function addMembers(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange, addMemberBody);
  const members = Array.isArray(body.member) ? body.member : [body.member];
  return add(managed, body, members as Member[]);
}

export async function addManyMembers(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange, bulkAddMembersBody);
  return add(managed, body, body.members as Member[]);
}

type MemberBody = JsonObject & { team_id: string };

async function add(managed: Managed, body: MemberBody, members: readonly Member[]): Promise<JsonObject> {
  const row = await changing(managed, async (under) => {
    const row = await requireTeam(managed, under, body.team_id);
    for (const member of members) {
      const user = await findUser(under, member);
      const before = user && (await managed.parts.entities.member("team", row.id, user.id, under.db));
      if (member.role !== (before?.role ?? "user")) requireMayName(managed, row);
      await addMember(managed, under, row, member, limitsIn(body));
    }
    return row;
  });
  const { parts } = managed;
  const rows = await parts.entities.members("team", row.id);
  const memberships = await membershipsWithSpend(parts, row, rows);
  return { ...(await shownTeam(managed, row, rows.map(memberObject))), team_memberships: memberships };
}

export async function updateMember(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange, updateMemberBody);
  const { row, after } = await changing(managed, async (under) => {
    const row = await requireTeam(managed, under, body.team_id);
    const before = await requireMember(under, TEAM, row, body);
    if (body.role != null && body.role !== before.role) requireMayName(managed, row);
    const settings = mergedSettings(settingsObject(before), limitsIn(body as JsonObject));
    const after = await putMember(under, TEAM, row, before.user_id, body.role ?? before.role, settings);
    return { row, after };
  });
  return (await membershipsWithSpend(managed.parts, row, [after]))[0]!;
}

export async function deleteMember(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange, deleteMemberBody);
  return changingTeam(managed, async (under) => {
    const row = await requireTeam(managed, under, body.team_id);
    const { user_id: userId, role } = await requireMember(under, TEAM, row, body);
    if (role === "admin") requireMayName(managed, row);
    await leave(managed.parts.issuer, under, TEAM, row, userId);
    return row;
  });
}

/**
 * What a body gives members of what binds their calls.
 * @throws GatewayError 400
 */
function limitsIn(body: JsonObject): JsonObject {
  requireModelLimits(body);
  const given = memberLimitNames.filter((name) => body[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, body[name]]));
}

/** Team admins make no other admins and take none away. */
function requireMayName(managed: Managed, row: EntityRow): void {
  if (administersOrganization(managed, row)) return;
  throw forbidden("A team admin makes and removes no other admin");
}

export async function addMember(
  { parts }: Managed,
  under: Change,
  team: EntityRow,
  member: Member,
  limits: JsonObject = {},
): Promise<void> {
  if (member.user_id == null && member.user_email == null)
    throw invalidRequest("member.user_id: a member has a user_id or a user_email", "member.user_id");
  const user = await ensureUser(under, member, parts.userDefaults());
  const settings = mergedSettings({}, limits);
  await putMember(
    under,
    TEAM,
    team,
    user.id,
    member.role,
    Object.keys(settings).length === 0 ? undefined : settings,
  );
}
