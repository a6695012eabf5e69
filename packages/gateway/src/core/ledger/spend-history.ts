import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import { addToSums } from "../../platform/store/spend-sums-sql.ts";
import { storableRow } from "./journal/journaled-row.ts";
import type { SpendRow } from "./spend-tables.ts";

/**
 * Adds rows of before, of another gateway: to the log and its sums by day, and to no budget and no key's spend, which have
 * sums of their own there. Rows whose ids are there already are left out.
 * @param db a transaction
 * @returns how many were new
 */
export async function addHistory(
  { kind }: Pick<Store, "kind">,
  db: Store["db"],
  rows: readonly SpendRow[],
): Promise<number> {
  if (rows.length === 0) return 0;
  // SQLite numbers new rows one after the other, and nobody else writes meanwhile. On PostgreSQL a trigger adds to the sums.
  const before = kind === "sqlite" ? await lastRow(db) : 0;
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto("spend_logs")
    .values(rows.map(storableRow))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  if (kind === "sqlite" && added !== 0n)
    for (const statement of addToSums(false, `(select * from spend_logs where rowid > ${before})`))
      await sql.raw(statement).execute(db);
  return Number(added);
}

async function lastRow(db: Store["db"]): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(rowid) as last from spend_logs`.execute(db);
  return rows[0]?.last ?? 0;
}
