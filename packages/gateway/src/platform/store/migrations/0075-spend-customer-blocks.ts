import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { SUM_COLUMNS } from "../spend-sums-sql.ts";
import { makeSumsFunction } from "./sums-function.ts";

/**
 * Blocks of days by customer and owners (a key with its user, team and organization), for whoever sees the customers of some
 * owners only. They are made day by day behind a mark of their own (`spend-blocks.ts`), so that an earlier version that still
 * runs neither makes them nor says that they are there; what it does to sums, PostgreSQL's triggers do to these.
 */
export const spendCustomerBlocks: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const id = `integer primary key ${isPostgres ? "generated always as identity" : ""}`;
    await sql
      .raw(
        `create table spend_owners (id ${id}, name text not null unique, key_hash text not null, user_id text, team_id text,
         organization_id text)`,
      )
      .execute(db);
    for (const column of ["key_hash", "user_id", "team_id", "organization_id"])
      await db.schema.createIndex(`spend_owners_by_${column}`).on("spend_owners").column(column).execute();
    await sql`create table spend_customer_blocks (days integer not null, start_day integer not null,
      owner_id integer not null, end_user text, ${sql.raw(SUM_COLUMNS)})`.execute(db);
    await sql`create index spend_customer_blocks_by_day on spend_customer_blocks (days, start_day)`.execute(
      db,
    );
    await sql`create index spend_customer_blocks_by_owner on spend_customer_blocks (owner_id, days, start_day)`.execute(
      db,
    );
    if (isPostgres) await changeTriggers(db);
  },
};

async function changeTriggers(db: Kysely<unknown>): Promise<void> {
  await makeSumsFunction(db);
  // Groups change in one place alone, `moveSums`, and all to the same key.
  await sql`
    create function move_spend_owners() returns trigger language plpgsql as $$
    begin
      update spend_owners set key_hash = moved.later, name = name || ' ' || gen_random_uuid() from (
        select (select key_hash from before limit 1) as former, (select key_hash from after limit 1) as later
      ) as moved where key_hash = moved.former;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger move_spend_owners after update on spend_groups
    referencing old table as before new table as after for each statement execute function move_spend_owners()`.execute(
    db,
  );
}
