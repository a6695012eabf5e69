import { type SelectQueryBuilder, sql } from "kysely";

/**
 * A page of what a query finds, and how many there are in all: the one place for lists that tell both. A page that is not
 * full says how many there are itself, so that nothing is counted for it.
 * @param found ordered, with its columns
 */
export async function countedPage<DB, Table extends keyof DB, Row>(
  found: SelectQueryBuilder<DB, Table, Row>,
  offset: number,
  limit: number,
) {
  const rows = limit === 0 ? [] : await found.offset(offset).limit(limit).execute();
  const isLast = limit > 0 && rows.length < limit && (rows.length > 0 || offset === 0);
  if (isLast) return { rows, total: offset + rows.length };
  const count = found.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as("total"));
  const { total } = await (
    count as unknown as SelectQueryBuilder<DB, Table, { total: number }>
  ).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}
