import { notFound } from "../../contract/errors.ts";
import type { Change } from "./change.ts";
import { type EntityType, entityEntry, memberObject } from "./entities.ts";
import type { EntityRow, MembershipRow } from "./entity-tables.ts";
import type { KeyIssuer } from "./key-issuer.ts";

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
  const keys = await under.db
    .selectFrom("gateway_keys")
    .select("key_hash")
    .where(type.kind === "team" ? "team_id" : "organization_id", "=", parent.id)
    .where("user_id", "=", userId)
    .execute();
  await issuer.deleteWithin(
    under,
    keys.map(({ key_hash }) => key_hash),
  );
}
