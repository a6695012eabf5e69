import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ListScope } from "../../core/auth/management/actor.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import type { EntityStore } from "../../core/auth/records/entity-store.ts";
import { among } from "../../platform/store/among.ts";

/** A condition on rows of the spend log. */
export type Condition = RawBuilder<SqlBool>;

/**
 * Holds a report to the rows that its caller may see, the one place where that is decided: all; those of organizations
 * and teams that it administers; those of its user and its key.
 */
export async function visibleRows(managed: Managed): Promise<readonly Condition[]> {
  const parts = await visibleParts(managed);
  return parts === undefined ? [] : [anyOf(parts)];
}

/** Of which any must hold, each for one owner, so that it can be looked up by an index; absent for those who see all. */
export async function visibleParts({ actor, parts }: Managed): Promise<readonly Condition[] | undefined> {
  return actor.scope && rowsWithin(actor.scope, parts.entities);
}

/** Owners that are looked for one by one: of one, a database finds the newest rows by its index, of some it looks at all. */
const MOST_APART = 50;

async function rowsWithin(scope: ListScope, entities: EntityStore): Promise<Condition[]> {
  const { organizationIds, teamIds, userId, keyHash, bound } = scope;
  const conditions: Condition[] = [];
  if (keyHash !== "") conditions.push(sql`spend_logs.key_hash = ${keyHash}`);
  if (userId !== undefined) {
    const { teamId, organizationId } = bound;
    conditions.push(
      allOf([
        sql`spend_logs.user_id = ${userId}`,
        ...belongingTo("spend_logs.team_id", teamId),
        ...belongingTo("spend_logs.organization_id", organizationId),
      ]),
    );
  }
  conditions.push(...ofAny("spend_logs.team_id", teamIds));
  conditions.push(...ofAny("spend_logs.organization_id", organizationIds));
  // Rows from before migration 0051 say nothing of organizations. No index serves a condition with a query in it.
  const teams = await entities.teamsOf(organizationIds);
  if (teams.length > 0)
    conditions.push(
      allOf([sql`spend_logs.organization_id is null`, among(entities.store, "spend_logs.team_id", teams)]),
    );
  return conditions;
}

/** @param id `null` for what belongs to none, absent for whatever it belongs to */
function belongingTo(column: string, id: string | null | undefined): Condition[] {
  if (id === undefined) return [];
  return [id === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${id}`];
}

function ofAny(column: string, ids: readonly string[]): Condition[] {
  if (ids.length > MOST_APART) return [isAmong(sql.ref(column), ids)];
  return ids.map((id) => sql`${sql.ref(column)} = ${id}`);
}

export function isAmong(
  column: RawBuilder<unknown> | ReturnType<typeof sql.ref>,
  values: readonly string[],
): Condition {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join(values)})`;
}

/** All of some conditions; true for none. */
export function allOf(conditions: readonly Condition[]): Condition {
  return sql`(${sql.join([sql`1 = 1`, ...conditions], sql` and `)})`;
}

/** Any of some conditions; false for none. With a constant among them SQLite would look none up by its index. */
function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`;
}
