import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { DAY_MS } from "../../../util/day.ts";
import { addToSums, SUM_COLUMNS, SUMS_LOCK } from "../spend-sums-sql.ts";

/**
 * Sums over the spend log, so that reports need not read it: by day and group, by half hour and model, by day and tag.
 * On PostgreSQL a trigger adds each row in the transaction that inserts it, whoever does, also an earlier version that
 * still runs beside this one; SQLite has one gateway alone, whose writer adds them (`SqliteSink`), because triggers there
 * run for each row. Days from before are added behind (`spend-sums.ts`), and reports read their rows until then.
 */
export const spendSums: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    const groups = db.schema
      .createTable("spend_groups")
      .addColumn("id", isPostgres ? "uuid" : "integer", (column) => column.primaryKey());
    await (isPostgres ? groups : groups.addColumn("name", "text", (column) => column.notNull().unique()))
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("user_id", "text")
      .addColumn("team_id", "text")
      .addColumn("organization_id", "text")
      .addColumn("end_user", "text")
      .addColumn("tags", "text")
      .addColumn("model", "text")
      .addColumn("provider", "text")
      .execute();
    for (const column of ["key_hash", "user_id", "team_id", "organization_id", "end_user"])
      await db.schema.createIndex(`spend_groups_by_${column}`).on("spend_groups").column(column).execute();
    await sql`create table spend_days (group_id ${sql.raw(isPostgres ? "uuid" : "integer")} not null, day integer not null, ${sql.raw(SUM_COLUMNS)},
      primary key (group_id, day)) ${sql.raw(isPostgres ? ROOM : "without rowid")}`.execute(db);
    await db.schema.createIndex("spend_days_by_day").on("spend_days").column("day").execute();
    await sql`create table spend_half_hours (start_at bigint not null, name text not null, model text, provider text,
      ${sql.raw(SUM_COLUMNS)}, milliseconds bigint not null, primary key (start_at, name))
      ${sql.raw(isPostgres ? ROOM : "")}`.execute(db);
    await sql`create table spend_tags (day integer not null, tag text not null, ${sql.raw(SUM_COLUMNS)},
      primary key (day, tag)) ${sql.raw(isPostgres ? ROOM : "")}`.execute(db);
    if (isPostgres) await countOnPostgres(db);
    // The first day of which every row will have been added when it came.
    await sql`insert into settings (name, value)
      select 'spend_sums_from', cast(coalesce(max(started_at) / ${sql.lit(DAY_MS)} + 1, 0) as text)
      from spend_logs`.execute(db);
  },
};

/** Sums of today change often: room on their pages keeps the changes out of the indexes. */
const ROOM = "with (fillfactor = 80)";

/** All rows of a statement at once, in an order that all processes have, so that no two wait for each other. */
async function countOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    create function add_to_spend_sums() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${SUMS_LOCK});
      ${addToSums(true, "added").join(";\n")};
      return null;
    end $$`)
    .execute(db);
  await sql
    .raw(`
    create trigger add_to_spend_sums after insert on spend_logs
    referencing new table as added for each statement execute function add_to_spend_sums()`)
    .execute(db);
}
