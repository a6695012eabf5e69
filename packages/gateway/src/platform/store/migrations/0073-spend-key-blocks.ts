import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { BLOCKS_UNTIL, SUM_COLUMNS } from "../spend-sums-sql.ts";

/**
 * Blocks of days by key, its owners, model and tags, without customers: for whoever sees a part of the log, whose sums are
 * then few.
 */
export const spendKeyBlocks: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    if (isPostgres) await sql`set local statement_timeout = 0`.execute(db);
    await sql`create table spend_key_blocks (days integer not null, start_day integer not null, key_hash text not null,
      user_id text, team_id text, organization_id text, model text, provider text, tags text, ${sql.raw(SUM_COLUMNS)})`.execute(
      db,
    );
    await sql`create index spend_key_blocks_by_day on spend_key_blocks (days, start_day)`.execute(db);
    for (const column of ["key_hash", "user_id", "team_id", "organization_id"])
      await sql
        .raw(
          `create index spend_key_blocks_by_${column} on spend_key_blocks (${column}, days, start_day)
           where ${column} is not null`,
        )
        .execute(db);
    if (isPostgres) {
      await sql.raw(`create index spend_logs_of_key ${OF_KEY}`).execute(db);
      await sql`drop index spend_logs_by_key`.execute(db);
    }
    await sql`delete from spend_blocks`.execute(db);
    await sql`delete from settings where name = ${BLOCKS_UNTIL}`.execute(db);
  },
};

/** What the overview of a key adds up, so that a busy one's rows, which lie all over the table, need not be looked up. */
const OF_KEY = `on spend_logs (key_hash, started_at)
  include (ended_at, status, model, prompt_tokens, completion_tokens, cache_read_tokens, spend)`;
