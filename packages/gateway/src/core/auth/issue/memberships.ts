import { invalidRequest, notFound } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { requireBudgetToRollOver } from "../fields/rollover-budget.ts";
import type { Change } from "../records/change.ts";
import {
  deleteEntity,
  type EntityType,
  entityEntry,
  findUserByEmail,
  settingsObject,
} from "../records/entities.ts";
import type { EntityRow, MembershipRow } from "../records/entity-tables.ts";
import type { KeyIssuer } from "./key-issuer.ts";

/** Puts a user into a team or an organization, or changes what it is there. */
export async function putMember(
  change: Change,
  type: EntityType,
  parent: EntityRow,
  userId: string,
  role: string,
  settings?: JsonObject,
): Promise<MembershipRow> {
  const { db } = change;
  const kind = type.kind as MembershipRow["kind"];
  const found = db
    .selectFrom("memberships")
    .selectAll()
    .where("kind", "=", kind)
    .where("parent_id", "=", parent.id)
    .where("user_id", "=", userId);
  const before = await found.executeTakeFirst();
  const { team_member_budget: max_budget, team_member_budget_duration: budget_duration } =
    settingsObject(parent);
  requireBudgetToRollOver(
    { max_budget, budget_duration, ...settings },
    before === undefined ? {} : settingsObject(before),
  );
  const row: MembershipRow = {
    kind,
    parent_id: parent.id,
    user_id: userId,
    role,
    settings: settings === undefined ? (before?.settings ?? "{}") : JSON.stringify(settings),
    created_at: before?.created_at ?? Date.now(),
  };
  await db
    .insertInto("memberships")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["kind", "parent_id", "user_id"])
        .doUpdateSet({ role: row.role, settings: row.settings }),
    )
    .execute();
  await change.audit({
    action: "updated",
    ...entityEntry(type, parent),
    before: before && memberObject(before),
    after: memberObject(row),
  });
  return row;
}

/**
 * The membership of somebody named by id or by address.
 * @throws GatewayError 400 without either, 404 for somebody who is no member
 */
export async function requireMember(
  { db }: Change,
  type: EntityType,
  parent: EntityRow,
  named: { readonly user_id?: string | null | undefined; readonly user_email?: string | null | undefined },
) {
  const { user_id: id, user_email: email } = named;
  if (id == null && email == null)
    throw invalidRequest("user_id: a member is named by user_id or user_email", "user_id");
  const user = id ?? (await findUserByEmail({ db }, email!))?.id;
  const found = await db
    .selectFrom("memberships")
    .selectAll()
    .where("kind", "=", type.kind as MembershipRow["kind"])
    .where("parent_id", "=", parent.id)
    .where("user_id", "=", user ?? "")
    .executeTakeFirst();
  if (found === undefined)
    throw notFound(`The user ${id ?? email} is no member of the ${type.kind} ${parent.id}`);
  return found;
}

export function memberObject(row: MembershipRow): JsonObject {
  return { user_id: row.user_id, role: row.role, ...settingsObject(row) };
}

/**
 * Takes a user out of a team or an organization, with its keys there: they would go on without what binds a member. Every
 * way out leads through here.
 * @throws GatewayError 404 for somebody who is no member
 */
export async function leave(
  issuer: KeyIssuer,
  under: Change,
  type: EntityType,
  parent: EntityRow,
  userId: string,
): Promise<void> {
  const removed = await under.db
    .deleteFrom("memberships")
    .where("kind", "=", type.kind as MembershipRow["kind"])
    .where("parent_id", "=", parent.id)
    .where("user_id", "=", userId)
    .returningAll()
    .execute();
  if (removed.length === 0)
    throw notFound(`The user ${userId} is no member of the ${type.kind} ${parent.id}`);
  await under.audit({ action: "updated", ...entityEntry(type, parent), before: memberObject(removed[0]!) });
  await issuer.deleteChosen(under, (keys) =>
    keys
      .where(type.kind === "team" ? "team_id" : "organization_id", "=", parent.id)
      .where("user_id", "=", userId),
  );
}

/**
 * Deletes a user or a team with its keys and memberships, or an organization with its memberships.
 * @throws GatewayError 404 where there is none
 */
export async function deleteWithKeys(
  issuer: KeyIssuer,
  under: Change,
  type: EntityType & { readonly kind: "user" | MembershipRow["kind"] },
  id: string,
): Promise<EntityRow> {
  const { kind } = type;
  await issuer.deleteChosen(under, (keys) => keys.where(`${kind}_id`, "=", id));
  const memberships = under.db.deleteFrom("memberships");
  await (kind === "user"
    ? memberships.where("user_id", "=", id)
    : memberships.where("kind", "=", kind).where("parent_id", "=", id)
  ).execute();
  return deleteEntity(under, type, id);
}

/** Has the keys of a team that name an organization follow the team into another one, whose limits hold for them then. */
export async function takeKeysAlong(
  { db }: Change,
  teamId: string,
  organizationId: string | null,
): Promise<void> {
  const keys = db.updateTable("gateway_keys").set({ organization_id: organizationId });
  await keys.where("team_id", "=", teamId).where("organization_id", "is not", null).execute();
}
