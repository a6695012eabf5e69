import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Actor, ListScope } from "../../core/auth/actor.ts";

/** A condition on rows of the spend log. */
export type Condition = RawBuilder<SqlBool>;

/**
 * Holds a report to the rows that its caller may see, the one place where that is decided: all; those of organizations
 * and teams that it administers; those of its user and its key.
 */
export function visibleRows(actor: Actor): readonly Condition[] {
  const parts = visibleParts(actor);
  return parts === undefined ? [] : [anyOf(parts)];
}

/** Of which any must hold, each for one owner, so that it can be looked up by an index; absent for those who see all. */
export function visibleParts({ scope }: Actor): readonly Condition[] | undefined {
  return scope && rowsWithin(scope);
}

/** Owners that are looked for one by one: of one, a database finds the newest rows by its index, of some it looks at all. */
const MOST_APART = 50;

function rowsWithin({ organizationIds, teamIds, userId, keyHash, bound }: ListScope): Condition[] {
  const conditions: Condition[] = [];
  if (keyHash !== "") conditions.push(sql`spend_logs.key_hash = ${keyHash}`);
  if (userId !== undefined) {
    const { teamId, organizationId } = bound;
    conditions.push(
      allOf([
        sql`spend_logs.user_id = ${userId}`,
        ...(teamId === undefined ? [] : [sql<SqlBool>`spend_logs.team_id = ${teamId}`]),
        ...(organizationId === undefined
          ? []
          : [sql<SqlBool>`spend_logs.organization_id = ${organizationId}`]),
      ]),
    );
  }
  conditions.push(...ofAny("spend_logs.team_id", teamIds));
  conditions.push(...ofAny("spend_logs.organization_id", organizationIds));
  if (organizationIds.length > 0) {
    // Rows from before migration 0051 say nothing of organizations.
    const teams = sql`select id from entities where kind = 'team' and organization_id in (${sql.join(organizationIds)})`;
    conditions.push(sql`(spend_logs.organization_id is null and spend_logs.team_id in (${teams}))`);
  }
  return conditions;
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

/** Any of some conditions; false for none. */
function anyOf(conditions: readonly Condition[]): Condition {
  return sql`(${sql.join([sql`1 = 0`, ...conditions], sql` or `)})`;
}
