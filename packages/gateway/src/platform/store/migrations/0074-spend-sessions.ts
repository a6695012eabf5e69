import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The session of an agent or of a client that a request belongs to. */
export const spendSessions: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    if (isPostgres) await sql`set local statement_timeout = 0`.execute(db);
    await sql`alter table spend_logs add column session_id text`.execute(db);
    await sql`create index spend_logs_of_session on spend_logs (session_id, started_at)
      where session_id is not null`.execute(db);
    await sql`create index spend_logs_with_session on spend_logs (started_at) where session_id is not null`.execute(
      db,
    );
  },
};
