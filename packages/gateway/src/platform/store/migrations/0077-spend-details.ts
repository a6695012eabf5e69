import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { makeSumsFunction } from "./sums-function.ts";

/** When a request's answer began, also in the sums of half hours, and what else its way tells. */
export const spendDetails: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table spend_logs add column first_ms bigint`.execute(db);
    await sql`alter table spend_logs add column details text`.execute(db);
    for (const column of ["first_ms", "firsts"])
      await sql`alter table spend_half_hours add column ${sql.ref(column)} bigint not null default 0`.execute(
        db,
      );
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await makeSumsFunction(db);
  },
};
