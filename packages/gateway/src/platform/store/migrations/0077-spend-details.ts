import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { addToSums, endBlocks, SUMS_LOCK } from "../spend-sums-sql.ts";

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
    await sql
      .raw(`
      create or replace function add_to_spend_sums() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(${SUMS_LOCK});
        ${[...addToSums(true, "added"), endBlocks("added")].join(";\n")};
        return null;
      end $$`)
      .execute(db);
  },
};
