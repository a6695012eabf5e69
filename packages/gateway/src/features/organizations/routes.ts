import { randomUUID } from "node:crypto";
import { checkQuery } from "../../contract/check.ts";
import { forbidden, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import {
  deleteWithKeys,
  leave,
  memberObject,
  putMember,
  requireMember,
} from "../../core/auth/issue/memberships.ts";
import { withSpend } from "../../core/auth/management/entity-spend.ts";
import { changing, type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import { MAX_LIST } from "../../core/auth/management/paging.ts";
import type { Change } from "../../core/auth/records/change.ts";
import {
  entityObject,
  insertEntity,
  mergedSettings,
  missing,
  ORGANIZATION,
  readEntityFields,
  requireEntity,
  TEAM,
  updateEntity,
} from "../../core/auth/records/entities.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import { ensureUser, findUser } from "../../core/auth/records/named-user.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import {
  addMemberBody,
  deleteMemberBody,
  deleteOrganizationsBody,
  newOrganizationBody,
  organizationDescription,
  organizationFields,
  organizationQuery,
  organizationsBody,
  organizationsQuery,
  updateMemberBody,
  updateOrganizationBody,
} from "./schema.ts";

/** LiteLLM's `/organization/*`. */
export function openOrganizations({ keys }: Core): Feature {
  const routes = managementRoutes(keys, "organization_management", {
    "POST /organization/new": createOrganization,
    "PATCH /organization/update": updateOrganization,
    "DELETE /organization/delete": deleteOrganizations,
    "GET /organization/info": async (managed) => {
      const { organization_id } = checkQuery(organizationQuery, managed.exchange.query);
      return shown(managed, organization_id);
    },
    "POST /organization/info": async (managed) => {
      const { organizations } = await parseJsonBody(managed.exchange, organizationsBody);
      return Promise.all(organizations.map((id) => shown(managed, id)));
    },
    "GET /organization/list": listOrganizations,
    "POST /organization/member_add": addMembers,
    "PATCH /organization/member_update": updateMember,
    "DELETE /organization/member_delete": deleteMember,
  });
  return { routes, descriptions: [organizationDescription] };
}

/** Runs a change of an organization; answers the organization as it is then, as callers see it. */
async function changingOne(
  managed: Managed,
  work: (under: Change) => Promise<EntityRow>,
): Promise<JsonObject> {
  const row = await changing(managed, work);
  return (await withSpend(managed.parts, [row], () => entityObject(ORGANIZATION, row)))[0]!;
}

async function createOrganization(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange);
  const fields = readEntityFields(organizationFields, newOrganizationBody, body);
  const { organization_id, organization_alias, ...settings } = fields;
  return changingOne(managed, (under) => {
    const values = { alias: organization_alias as string, settings: mergedSettings({}, settings) };
    const id = (organization_id as string | null) ?? randomUUID();
    return insertEntity(under, ORGANIZATION, id, values);
  });
}

/** What an organization's own admin may change of it: nothing that it was given. */
const OWN_FIELDS = ["organization_id", "organization_alias", "metadata"];

async function updateOrganization(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange);
  const fields = readEntityFields(organizationFields, updateOrganizationBody, body);
  const { organization_id, organization_alias, ...settings } = fields;
  if (!managed.actor.reachesAll) {
    const other = Object.keys(fields).find((name) => !OWN_FIELDS.includes(name));
    if (other !== undefined)
      throw invalidRequest(`An organization admin may not change ${other} of its organization`, other);
  }
  return changingOne(managed, async (under) => {
    const { id } = await requireOrganization(managed, under, organization_id as string);
    return updateEntity(under, ORGANIZATION, id, (_, stored) => ({
      alias: organization_alias as string | null | undefined,
      settings: mergedSettings(stored, settings),
    }));
  });
}

async function deleteOrganizations(managed: Managed): Promise<JsonObject[]> {
  const { organization_ids } = await parseJsonBody(managed.exchange, deleteOrganizationsBody);
  if (organization_ids.length === 0)
    throw invalidRequest("organization_ids: expected a list of organizations", "organization_ids");
  return changing(managed, async (under) => {
    const deleted: JsonObject[] = [];
    for (const id of new Set(organization_ids)) {
      await requireEntity(under, ORGANIZATION, id);
      const team = await under.db
        .selectFrom("entities")
        .select("id")
        .where("kind", "=", "team")
        .where("organization_id", "=", id)
        .executeTakeFirst();
      const key = await under.db
        .selectFrom("gateway_keys")
        .select("key_hash")
        .where("organization_id", "=", id)
        .executeTakeFirst();
      if (team !== undefined || key !== undefined)
        throw invalidRequest(
          `The organization ${id} has teams or keys; delete them first`,
          "organization_ids",
        );
      const row = await deleteWithKeys(managed.parts.issuer, under, ORGANIZATION, id);
      deleted.push(entityObject(ORGANIZATION, row));
    }
    return deleted;
  });
}

async function shown({ parts, actor }: Managed, id: string): Promise<JsonObject> {
  const row = await parts.entities.find("organization", id);
  if (row === undefined || !actor.reaches({ organizationIds: [row.id] })) throw missing(ORGANIZATION, id);
  const members = await parts.entities.members("organization", row.id);
  const teams = await parts.entities.list("team", { organizationIds: [row.id] }, 0, MAX_LIST);
  return {
    ...(await withSpend(parts, [row], () => entityObject(ORGANIZATION, row)))[0],
    members: members.map((each) => ({ ...memberObject(each), user_role: each.role })),
    teams: await withSpend(parts, teams.rows, (each) => entityObject(TEAM, each)),
  };
}

async function listOrganizations({ exchange, parts, actor }: Managed): Promise<JsonObject[]> {
  const { org_id, org_alias } = checkQuery(organizationsQuery, exchange.query);
  const { scope } = actor;
  const { rows } = await parts.entities.list(
    "organization",
    {
      ids: org_id === undefined ? undefined : [org_id],
      alias: org_alias,
      within: scope && { ids: scope.organizationIds, organizationIds: [] },
    },
    0,
    MAX_LIST,
  );
  return withSpend(parts, rows, (row) => entityObject(ORGANIZATION, row));
}

interface Member {
  readonly user_id?: string | null;
  readonly user_email?: string | null;
  readonly role: string;
}

async function addMembers(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange, addMemberBody);
  requireNoBudget(body.max_budget_in_organization);
  const members = (Array.isArray(body.member) ? body.member : [body.member]) as Member[];
  return changing(managed, async (under) => {
    const row = await requireOrganization(managed, under, body.organization_id);
    const added: JsonObject[] = [];
    for (const member of members) {
      if (member.user_id == null && member.user_email == null)
        throw invalidRequest("member.user_id: a member has a user_id or a user_email", "member.user_id");
      await requireOwnUser(managed, under, member);
      const user = await ensureUser(under, member, managed.parts.userDefaults());
      added.push(memberObject(await putMember(under, ORGANIZATION, row, user.id, member.role)));
    }
    const memberships = added.map((each) => ({ ...each, organization_id: row.id, user_role: each.role }));
    return { organization_id: row.id, updated_users: added, updated_organization_memberships: memberships };
  });
}

async function updateMember(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange, updateMemberBody);
  requireNoBudget(body.max_budget_in_organization);
  return changing(managed, async (under) => {
    const row = await requireOrganization(managed, under, body.organization_id);
    const before = await requireMember(under, ORGANIZATION, row, body);
    const after = await putMember(under, ORGANIZATION, row, before.user_id, body.role ?? before.role);
    return { ...memberObject(after), organization_id: row.id, user_role: after.role };
  });
}

async function deleteMember(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange, deleteMemberBody);
  return changing(managed, async (under) => {
    const row = await requireOrganization(managed, under, body.organization_id);
    const { user_id } = await requireMember(under, ORGANIZATION, row, body);
    await leave(managed.parts.issuer, under, ORGANIZATION, row, user_id);
    return { user_id, organization_id: row.id };
  });
}

function requireNoBudget(budget: unknown): void {
  if (budget == null) return;
  const text = "max_budget_in_organization is not enforced by this gateway: give it to the keys";
  throw invalidRequest(text, "max_budget_in_organization");
}

/**
 * An organization's admins manage its users, so that they must not make anybody one who is another's.
 * @throws GatewayError 403 for a user that the caller does not administer already
 */
async function requireOwnUser({ actor, parts }: Managed, under: Change, member: Member): Promise<void> {
  if (actor.reachesAll) return;
  const user = await findUser(under, member);
  if (user === undefined) return;
  if (actor.administers({ organizationIds: await parts.entities.organizationsOf(user.id, under.db) })) return;
  const text = "Only a proxy administrator puts a user into an organization who is there already";
  throw forbidden(text, "member");
}

async function requireOrganization({ actor }: Managed, under: Change, id: string): Promise<EntityRow> {
  const row = await requireEntity(under, ORGANIZATION, id);
  if (!actor.reaches({ organizationIds: [row.id] })) throw missing(ORGANIZATION, id);
  return row;
}
