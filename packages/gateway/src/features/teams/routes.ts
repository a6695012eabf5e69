import { randomUUID } from "node:crypto";
import { checkQuery } from "../../contract/check.ts";
import { forbidden, type GatewayError, invalidRequest } from "../../contract/errors.ts";
import { defined, type JsonObject, objectOf } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { deleteWithKeys, memberObject, takeKeysAlong } from "../../core/auth/issue/memberships.ts";
import type { Actor } from "../../core/auth/management/actor.ts";
import { keysWithSpend, membershipsWithSpend, withSpend } from "../../core/auth/management/entity-spend.ts";
import { changing, type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import { MAX_LIST, pageFacts, pageOf } from "../../core/auth/management/paging.ts";
import {
  insertEntity,
  mergedSettings,
  missing,
  readEntityFields,
  requireParent,
  settingsObject,
  TEAM,
  updateEntity,
} from "../../core/auth/records/entities.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { GRANTED_IN_METADATA } from "../../platform/config/options/key-terms.ts";
import { addCallback, deleteCallback, disableLogging, listCallbacks, withLogging } from "./callbacks.ts";
import { addManyMembers, addMember, addMembers, deleteMember, type Member, updateMember } from "./members.ts";
import { listPermissions, requirePermissions, updatePermissions } from "./permissions.ts";
import { resetMemberSpend, resetTeamSpend } from "./reset-spend.ts";
import {
  namedTeam,
  namedTeams,
  newTeamBody,
  teamDescription,
  teamFields,
  teamModelsBody,
  teamPagesQuery,
  teamQuery,
  teamsQuery,
  updateTeamBody,
} from "./schema.ts";
import {
  administersOrganization,
  changingTeam,
  requireTeam,
  shownTeam,
  targetOf,
  teamObject,
} from "./team.ts";

/** LiteLLM's `/team/*`. */
export function openTeams({ keys }: Core): Feature {
  const routes = managementRoutes(keys, "team_management", {
    "POST /team/new": createTeam,
    "POST /team/update": updateTeam,
    "POST /team/delete": deleteTeams,
    "POST /team/block": (managed) => setBlocked(managed, true),
    "POST /team/unblock": (managed) => setBlocked(managed, false),
    "GET /team/info": showTeam,
    "GET /team/list": listTeams,
    "GET /v2/team/list": listTeamPages,
    "GET /team/available": async () => [],
    "POST /team/member_add": addMembers,
    "POST /team/bulk_member_add": addManyMembers,
    "POST /team/member_update": updateMember,
    "POST /team/member_delete": deleteMember,
    "POST /team/:team_id/reset_spend": resetTeamSpend,
    "POST /team/:team_id/member/:user_id/reset_spend": resetMemberSpend,
    "GET /team/:team_id/callback": listCallbacks,
    "POST /team/:team_id/callback": addCallback,
    "DELETE /team/:team_id/callback/:callback_name": deleteCallback,
    "POST /team/:team_id/disable_logging": disableLogging,
    "POST /team/model/add": (managed) =>
      changeModels(managed, (models, given) => [...new Set([...models, ...given])]),
    "POST /team/model/delete": (managed) =>
      changeModels(managed, (models, given) => models.filter((model) => !given.includes(model))),
    "GET /team/permissions_list": listPermissions,
    "POST /team/permissions_update": updatePermissions,
  });
  return { routes, descriptions: [teamDescription] };
}

async function createTeam(managed: Managed): Promise<JsonObject> {
  const { actor } = managed;
  const fields = readEntityFields(teamFields, newTeamBody, await parseJsonBody(managed.exchange));
  const { team_id, team_alias, organization_id, members_with_roles, admins, members, ...settings } = fields;
  const named = [
    ...((members_with_roles ?? []) as Member[]),
    ...((admins ?? []) as string[]).map((user_id) => ({ user_id, role: "admin" as const })),
    ...((members ?? []) as string[]).map((user_id) => ({ user_id, role: "user" as const })),
  ];
  actor.forbid({ organizationIds: [organization_id as string | null] }, "make a team there");
  requireMayGrant(actor, settings);
  requireMayAlias(managed, team_alias);
  return changingTeam(managed, async (under) => {
    await requireParent(under, "organization", organization_id, "organization_id");
    requirePermissions(settings.team_member_permissions);
    const row = await insertEntity(under, TEAM, (team_id as string | null) ?? randomUUID(), {
      alias: team_alias as string | null,
      organizationId: organization_id as string | null,
      settings: mergedSettings({}, withLogging(managed, settings)),
    });
    for (const member of named) await addMember(managed, under, row, member);
    // Whoever makes a team without being a proxy administrator manages it.
    const { userId } = actor.principal;
    if (!actor.isProxyAdmin && userId !== undefined)
      await addMember(managed, under, row, { user_id: userId, role: "admin" });
    return row;
  });
}

async function updateTeam(managed: Managed): Promise<JsonObject> {
  const { actor } = managed;
  const fields = readEntityFields(teamFields, updateTeamBody, await parseJsonBody(managed.exchange));
  const { team_id, team_alias, organization_id, members_with_roles, admins, members, ...settings } = fields;
  if ([members_with_roles, admins, members].some((list) => Array.isArray(list) && list.length > 0))
    throw invalidRequest("members_with_roles: /team/member_add puts users into a team", "members_with_roles");
  const data = await changingTeam(managed, async (under) => {
    const before = await requireTeam(managed, under, team_id as string);
    if (!administersOrganization(managed, before)) requireOwnFields(fields, settingsObject(before));
    requireMayAlias(managed, team_alias, before.alias);
    if (organization_id !== undefined && organization_id !== before.organization_id) {
      actor.forbid({ organizationIds: [organization_id as string | null] }, "move a team there");
      await requireParent(under, "organization", organization_id, "organization_id");
      await takeKeysAlong(under, before.id, organization_id as string | null);
    }
    requirePermissions(settings.team_member_permissions);
    requireMayGrant(actor, settings, settingsObject(before));
    return updateEntity(under, TEAM, before.id, (_, stored) => ({
      alias: team_alias as string | null | undefined,
      organizationId: organization_id as string | null | undefined,
      settings: mergedSettings(stored, withLogging(managed, settings, stored)),
    }));
  });
  return { team_id, data };
}

/**
 * What passes through to a provider and the agents of the gateway are bound to no tenant, and what is kept for a priority
 * others do not get, so they are not an organization's to give away.
 */
function requireMayGrant(actor: Actor, given: JsonObject, stored: JsonObject = {}): void {
  if (actor.isProxyAdmin) return;
  const { allowed_passthrough_routes: routes, metadata } = given;
  if (Array.isArray(routes) && routes.length > 0) throw onlyAdministratorsGive("allowed_passthrough_routes");
  if (metadata === undefined) return;
  const grantIn = (value: unknown, name: string) => JSON.stringify(objectOf(value)[name]);
  const granted = GRANTED_IN_METADATA.find(
    (name) => grantIn(metadata, name) !== grantIn(stored.metadata, name),
  );
  if (granted !== undefined) throw onlyAdministratorsGive(`metadata.${granted}`);
}

function onlyAdministratorsGive(field: string): GatewayError {
  return forbidden(`Only a proxy administrator gives a team ${field}`, field);
}

/** Where tokens name teams by their aliases, whoever takes one becomes the team of others. */
function requireMayAlias({ actor, parts }: Managed, alias: unknown, before?: string | null): void {
  if (actor.isProxyAdmin || alias == null || alias === before || !parts.tokensNameAliases()) return;
  const text =
    "Only a proxy administrator gives a team an alias, as tokens name teams by it (team_alias_jwt_field)";
  throw forbidden(text, "team_alias");
}

/** What whoever administers the team alone may change of it: nothing that its organization gave it. */
const TEAM_ADMIN_FIELDS = ["team_id", "team_alias", "metadata", "team_member_permissions"];

/** Clients send `null` for what they do not set; where the team has something it takes that away. */
function requireOwnFields(fields: JsonObject, stored: JsonObject): void {
  const other = Object.keys(fields).find(
    (name) => !TEAM_ADMIN_FIELDS.includes(name) && (fields[name] ?? stored[name]) != null,
  );
  if (other === undefined) return;
  throw forbidden(`A team admin may not change ${other} of its team`, other);
}

async function deleteTeams(managed: Managed): Promise<JsonObject> {
  const { team_ids } = await parseJsonBody(managed.exchange, namedTeams);
  if (team_ids.length === 0) throw invalidRequest("team_ids: expected a list of teams", "team_ids");
  const ids = [...new Set(team_ids)];
  await changing(managed, async (under) => {
    for (const id of ids) {
      await requireTeam(managed, under, id);
      await deleteWithKeys(managed.parts.issuer, under, TEAM, id);
    }
  });
  return { deleted_teams: ids };
}

async function setBlocked(managed: Managed, blocked: boolean): Promise<JsonObject> {
  const { team_id } = await parseJsonBody(managed.exchange, namedTeam);
  return changingTeam(managed, async (under) => {
    await requireTeam(managed, under, team_id);
    const action = blocked ? "blocked" : "unblocked";
    const valuesOf = (_: EntityRow, stored: JsonObject) => ({ settings: { ...stored, blocked } });
    return updateEntity(under, TEAM, team_id, valuesOf, action);
  });
}

async function showTeam(managed: Managed): Promise<JsonObject> {
  const { exchange, parts, actor } = managed;
  const { team_id } = checkQuery(teamQuery, exchange.query);
  const row = await parts.entities.find("team", team_id);
  if (row === undefined || !actor.reaches(targetOf(row))) throw missing(TEAM, team_id);
  const members = await parts.entities.members("team", row.id);
  const within = actor.administers(targetOf(row))
    ? undefined
    : { userId: actor.principal.userId, keyHash: actor.principal.keyHash, teamIds: [], organizationIds: [] };
  const { rows } = await parts.keys.list({ teamId: row.id, ...(within && { within }) }, 0, MAX_LIST);
  const memberships = await membershipsWithSpend(parts, row, members);
  return {
    team_id: row.id,
    team_info: await shownTeam(managed, row, members.map(memberObject)),
    keys: await keysWithSpend(parts, rows),
    team_memberships: memberships.map(({ spend, rolled_over, ...each }) => ({
      ...each,
      ...(within === undefined || each.user_id === within.userId ? defined({ spend, rolled_over }) : {}),
    })),
  };
}

async function listTeams(managed: Managed): Promise<JsonObject[]> {
  const asked = checkQuery(teamsQuery, managed.exchange.query);
  const { rows } = await find(managed, asked, 0, MAX_LIST);
  return withMembers(managed, rows);
}

async function listTeamPages(managed: Managed): Promise<JsonObject> {
  const asked = checkQuery(teamPagesQuery, managed.exchange.query);
  const { page, limit, offset } = pageOf({ page: asked.page, size: asked.page_size }, 25);
  const { rows, total } = await find(managed, asked, offset, limit);
  return {
    teams: await withMembers(managed, rows),
    ...pageFacts(page, limit, total),
  };
}

interface TeamsAsked {
  readonly user_id?: string | undefined;
  readonly organization_id?: string | undefined;
  readonly team_id?: string | undefined;
  readonly team_alias?: string | undefined;
}

async function find({ parts, actor }: Managed, asked: TeamsAsked, offset: number, limit: number) {
  const { scope } = actor;
  const ofUser =
    asked.user_id === undefined
      ? undefined
      : (await parts.entities.membershipsOf(asked.user_id))
          .filter(({ kind }) => kind === "team")
          .map((each) => each.parent_id);
  const named =
    asked.team_id === undefined ? ofUser : [asked.team_id].filter((id) => ofUser?.includes(id) ?? true);
  return parts.entities.list(
    "team",
    {
      ids: named,
      alias: asked.team_alias,
      organizationIds: asked.organization_id === undefined ? undefined : [asked.organization_id],
      within: scope && { ids: scope.teamIds, organizationIds: scope.organizationIds },
    },
    offset,
    limit,
  );
}

async function withMembers({ parts }: Managed, rows: readonly EntityRow[]): Promise<JsonObject[]> {
  const ids = rows.map(({ id }) => id);
  const members = await parts.entities.membersOfAll("team", ids);
  return withSpend(parts, rows, (row) => teamObject(row, members.get(row.id) ?? []));
}

async function changeModels(
  managed: Managed,
  changed: (models: readonly string[], given: readonly string[]) => string[],
): Promise<JsonObject> {
  const { team_id, models } = await parseJsonBody(managed.exchange, teamModelsBody);
  return changingTeam(managed, async (under) => {
    await requireTeam(managed, under, team_id);
    return updateEntity(under, TEAM, team_id, (_, stored) => {
      const before = (stored.models ?? []) as string[];
      const after = changed(before, models);
      // An empty list means every model: taking the last one away must not allow them all.
      if (before.length > 0 && after.length === 0)
        throw invalidRequest("models: a team without models may call all; block it, or leave one", "models");
      return { settings: { ...stored, models: after } };
    });
  });
}
