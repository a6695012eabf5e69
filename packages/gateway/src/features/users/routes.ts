import { randomUUID } from "node:crypto";
import { checkQuery } from "../../contract/check.ts";
import { forbidden, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { deleteWithKeys, putMember } from "../../core/auth/issue/memberships.ts";
import { keysWithSpend, withSpend } from "../../core/auth/management/entity-spend.ts";
import { requireSaid } from "../../core/auth/management/key-makers.ts";
import { isAdministrators, keyRights } from "../../core/auth/management/key-rights.ts";
import { changing, type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import { MAX_LIST, pageFacts, pageOf } from "../../core/auth/management/paging.ts";
import { usersSeen } from "../../core/auth/management/users-seen.ts";
import type { Change } from "../../core/auth/records/change.ts";
import {
  entityObject,
  findEntity,
  findUserByEmail,
  insertEntity,
  mergedSettings,
  missing,
  ORGANIZATION,
  readEntityFields,
  requireParent,
  settingsObject,
  TEAM,
  USER,
  updateEntity,
} from "../../core/auth/records/entities.ts";
import type { EntityRow, MembershipRow } from "../../core/auth/records/entity-tables.ts";
import { readKeyFields } from "../../core/auth/records/key-fields.ts";
import type { KeyRow } from "../../core/auth/records/keys-table.ts";
import { newUserSettings } from "../../core/auth/records/named-user.ts";
import { ADMINISTRATORS } from "../../core/auth/roles.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import {
  deleteUsersBody,
  newUserBody,
  newUserFields,
  updateUserBody,
  userDescription,
  userFields,
  userQuery,
  usersQuery,
} from "./schema.ts";

/** LiteLLM's `/user/*`. */
export function openUsers({ keys }: Core): Feature {
  const routes = managementRoutes(keys, "user_management", {
    "POST /user/new": createUser,
    "POST /user/update": updateUser,
    "POST /user/delete": deleteUsers,
    "GET /user/info": showUser,
    "GET /v2/user/info": showUserAlone,
    "GET /user/list": listUsers,
    "GET /user/available_roles": async () => ROLES,
  });
  return { routes, descriptions: [userDescription] };
}

const ROLES: JsonObject = {
  proxy_admin: { description: "Manages everything", ui_label: "Admin (All Permissions)" },
  proxy_admin_viewer: { description: "Sees everything", ui_label: "Admin (View Only)" },
  internal_user: { description: "Makes, sees and deletes keys of its own", ui_label: "Internal User" },
  internal_user_viewer: { description: "Sees keys of its own", ui_label: "Internal Viewer" },
};

async function createUser(managed: Managed): Promise<JsonObject> {
  const { actor, parts, exchange } = managed;
  const fields = readEntityFields(newUserFields, newUserBody, await parseJsonBody(exchange));
  const {
    user_id,
    user_email,
    user_alias,
    teams,
    organizations,
    auto_create_key,
    key_alias,
    duration,
    ...more
  } = fields;
  const { send_invite_email: _, ...settings } = more;
  const organizationIds = (organizations ?? []) as string[];
  requireRole(managed, settings.user_role);
  if (!actor.reachesAll) {
    const foreign = organizationIds.find((id) => !actor.organizationIds.includes(id));
    if (organizationIds.length === 0 || foreign !== undefined)
      throw forbidden("An organization admin makes users of its organizations", "organizations");
  }
  const ofKey = { key_alias, duration } as JsonObject;
  const columns = readKeyFields(ofKey, Date.now());
  if (auto_create_key !== false) requireSaid(actor, ofKey, parts.keyMakers());
  const made = await changing(managed, async (under) => {
    const id = (user_id as string | null) ?? randomUUID();
    await requireFreeEmail(under, user_email as string | null, id);
    const row = await insertEntity(under, USER, id, {
      alias: user_alias as string | null,
      email: user_email as string | null,
      settings: newUserSettings(settings, parts.userDefaults()),
    });
    for (const [index, id] of organizationIds.entries()) {
      const parent = await requireParent(under, "organization", id, `organizations.${index}`);
      await putMember(under, ORGANIZATION, parent!, row.id, "internal_user");
    }
    for (const [index, named] of ((teams ?? []) as (string | JsonObject)[]).entries()) {
      const {
        team_id: id,
        user_role: role,
        max_budget_in_team: budget,
      } = (typeof named === "string" ? { team_id: named } : named) as unknown as InTeam;
      const team = await requireParent(under, "team", id, `teams.${index}`, (row) =>
        actor.reaches({ organizationIds: [row.organization_id], teamId: id }),
      );
      const settings = budget == null ? undefined : { max_budget_in_team: budget };
      await putMember(under, TEAM, team!, row.id, role ?? "user", settings);
    }
    const key =
      auto_create_key === false
        ? undefined
        : await parts.issuer.issueWithin(
            under,
            {
              ...columns,
              user_id: row.id,
              // What an organization's admin makes stays under the organization's limits.
              organization_id: actor.reachesAll ? null : organizationIds[0]!,
            },
            undefined,
            keyRights(actor, parts),
          );
    return { row, key };
  });
  const issued = made.key && {
    key: made.key.key,
    token: made.key.row.key_hash,
    key_name: made.key.row.key_name,
  };
  return { ...(await userObjects(managed, [made.row]))[0], key: null, ...issued };
}

/** A team that a new user joins. */
interface InTeam {
  readonly team_id: string;
  readonly user_role?: string | null;
  readonly max_budget_in_team?: number | null;
}

async function updateUser(managed: Managed): Promise<JsonObject> {
  const fields = readEntityFields(userFields, updateUserBody, await parseJsonBody(managed.exchange));
  const { user_id, user_email, user_alias, ...settings } = fields;
  if (user_id == null && user_email == null)
    throw invalidRequest("user_id: a user is named by user_id or user_email", "user_id");
  const row = await changing(managed, async (under) => {
    const id = (user_id as string | null) ?? (await idOfEmail(under, user_email as string));
    const before = await requireUser(managed, under, id, (user_id ?? user_email) as string);
    // Whoever administers an organization has its own limits from somebody else.
    const isSelf = !managed.actor.reachesAll && before.id === managed.actor.principal.userId;
    if (isSelf || !(await administers(managed, before.id, under))) {
      const other = Object.keys(settings)[0];
      if (other !== undefined || (user_id != null && user_email != null))
        throw forbidden(`A user may not change ${other ?? "user_email"} of its own`, other ?? "user_email");
    }
    if (settings.user_role !== undefined) requireRole(managed, settings.user_role);
    if (user_id != null) await requireFreeEmail(under, user_email as string | null, id);
    return updateEntity(under, USER, id, (_, stored) => ({
      alias: user_alias as string | null | undefined,
      ...(user_id == null ? {} : { email: user_email as string | null | undefined }),
      settings: mergedSettings(stored, settings),
    }));
  });
  return { user_id: row.id, data: (await userObjects(managed, [row]))[0] };
}

async function deleteUsers(managed: Managed): Promise<JsonObject> {
  const { user_ids } = await parseJsonBody(managed.exchange, deleteUsersBody);
  if (user_ids.length === 0) throw invalidRequest("user_ids: expected a list of users", "user_ids");
  const ids = [...new Set(user_ids)];
  await changing(managed, async (under) => {
    for (const id of ids) {
      await requireUser(managed, under, id);
      await deleteWithKeys(managed.parts.issuer, under, USER, id);
    }
  });
  return { deleted_users: ids };
}

/** A user whom the caller may see. */
async function seenUser(managed: Managed): Promise<{ row: EntityRow; isOwn: boolean }> {
  const { exchange, parts, actor } = managed;
  const { user_id: id = actor.principal.userId } = checkQuery(userQuery, exchange.query);
  if (id === undefined) throw invalidRequest("user_id: this api key has no user; name one", "user_id");
  const row = await parts.entities.find("user", id);
  const isOwn = actor.reaches({ userId: id });
  if (!isOwn && !(await administers(managed, id))) throw missing(USER, id);
  if (row === undefined) throw missing(USER, id);
  return { row, isOwn };
}

async function showUserAlone(managed: Managed): Promise<JsonObject> {
  const { row } = await seenUser(managed);
  return (await userObjects(managed, [row]))[0]!;
}

async function showUser(managed: Managed): Promise<JsonObject> {
  const { parts, actor } = managed;
  const { row, isOwn } = await seenUser(managed);
  const { id } = row;
  const within = actor.reachesAll ? undefined : { ...actor.scope!, organizationIds: [], teamIds: [] };
  const all = { userId: id, ...(isOwn && within !== undefined ? { within } : {}) };
  const { rows } = await parts.keys.list(all, 0, MAX_LIST);
  const seen = await seenTeams(managed);
  const memberships = await parts.entities.membershipsOf(id);
  const ids = memberships
    .filter(({ kind, parent_id }) => kind === "team" && (seen?.teams.has(parent_id) ?? true))
    .map((each) => each.parent_id);
  const teams = await parts.entities.list("team", { ids }, 0, MAX_LIST);
  const isSeen = (key: KeyRow): boolean => seen?.hasKey(key, row) ?? true;
  return {
    user_id: id,
    user_info: (await userObjects(managed, [row]))[0],
    keys: await keysWithSpend(parts, isOwn ? rows : rows.filter(isSeen)),
    teams: await withSpend(parts, teams.rows, (each) => entityObject(TEAM, each)),
  };
}

async function listUsers(managed: Managed): Promise<JsonObject> {
  const { exchange, parts } = managed;
  const asked = checkQuery(usersQuery, exchange.query);
  const { page, limit, offset } = pageOf({ page: asked.page, size: asked.page_size }, 25);
  const named = asked.user_ids?.split(",").map((id) => id.trim());
  const seen = await usersSeen(managed);
  const ids = seen === undefined ? named : seen.filter((id) => named?.includes(id) ?? true);
  const { rows, total } = await parts.entities.list(
    "user",
    { ids, email: asked.user_email, role: asked.role },
    offset,
    limit,
  );
  return {
    users: await userObjects(managed, rows),
    ...pageFacts(page, limit, total),
  };
}

/** @throws GatewayError 403 for a role that the caller may not give */
function requireRole({ actor }: Managed, role: unknown): void {
  if (actor.isProxyAdmin || role == null || !ADMINISTRATORS.includes(role as string)) return;
  throw forbidden(`Only a proxy administrator makes a ${role as string}`, "user_role");
}

/** @throws GatewayError 400 where another user has the address */
async function requireFreeEmail(under: Change, email: string | null | undefined, id: string): Promise<void> {
  if (email == null) return;
  const owner = await findUserByEmail(under, email);
  if (owner !== undefined && owner.id !== id)
    throw invalidRequest("user_email: another user has this address", "user_email");
}

async function idOfEmail(under: Change, email: string): Promise<string> {
  const found = await findUserByEmail(under, email);
  if (found === undefined) throw missing(USER, email);
  return found.id;
}

/**
 * A user as the caller may change it; an organization's admin has no say over administrators.
 * @param named how the caller calls it, by whose address nobody learns its id
 */
async function requireUser(managed: Managed, under: Change, id: string, named = id): Promise<EntityRow> {
  const row = await findEntity(under, "user", id);
  const { actor } = managed;
  const isAdministrator = ADMINISTRATORS.includes(String(row && settingsObject(row).user_role));
  const isOwn = actor.reaches({ userId: id });
  const mayChange =
    actor.reachesAll || isOwn || (!isAdministrator && (await administers(managed, id, under)));
  if (row === undefined || !mayChange) throw missing(USER, named);
  return row;
}

/** Whether the caller administers an organization that the user belongs to. */
async function administers({ actor, parts }: Managed, userId: string, under?: Change): Promise<boolean> {
  if (actor.reachesAll) return true;
  return actor.administers({ organizationIds: await parts.entities.organizationsOf(userId, under?.db) });
}

/**
 * What users are and have in a team or an organization is for those who administer that one, or are in the team: what the
 * caller sees of its users' teams and keys there. Absent for those who see all.
 */
async function seenTeams({ actor, parts }: Managed) {
  if (actor.reachesAll) return undefined;
  const { organizationIds, memberOf } = actor;
  const administered = new Set(await parts.entities.teamsOf(organizationIds));
  return {
    teams: new Set([...memberOf, ...administered]),
    hasKey: (key: KeyRow, user: EntityRow): boolean => {
      const { team_id: team, organization_id: organization } = key;
      if (team !== null) return administered.has(team);
      return organization === null ? !isAdministrators(key, user) : organizationIds.includes(organization);
    },
  };
}

async function userObjects(managed: Managed, rows: readonly EntityRow[]): Promise<JsonObject[]> {
  const { parts, actor } = managed;
  const ids = rows.map(({ id }) => id);
  const memberships = await parts.entities.membershipsOfAll(ids);
  const seen = await seenTeams(managed);
  return withSpend(parts, rows, (row) => {
    const { userId, isHeldByOthers } = actor.principal;
    const isOwn = row.id === userId && isHeldByOthers !== true;
    const isSeen = ({ kind, parent_id: id }: MembershipRow): boolean =>
      seen === undefined ||
      (kind === "team" ? seen.teams.has(id) : isOwn || actor.organizationIds.includes(id));
    const of = (kind: string) =>
      (memberships.get(row.id) ?? []).filter((each) => each.kind === kind && isSeen(each));
    return {
      ...entityObject(USER, row),
      teams: of("team").map((each) => each.parent_id),
      organization_memberships: of("organization").map((each) => ({
        organization_id: each.parent_id,
        user_role: each.role,
      })),
    };
  });
}
