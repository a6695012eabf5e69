import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * What the overview of a key adds up, in the index of migration 0073 made anew: that lacks `first_ms`, which came later, and
 * without it every row of a busy key is looked up in the table.
 */
export const spendOfKey: Migration = {
  async up(db: Kysely<unknown>) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`drop index spend_logs_of_key`.execute(db);
    await sql`create index spend_logs_of_key on spend_logs (key_hash, started_at)
      include (ended_at, status, model, prompt_tokens, completion_tokens, cache_read_tokens, spend, first_ms)`.execute(
      db,
    );
  },
};
