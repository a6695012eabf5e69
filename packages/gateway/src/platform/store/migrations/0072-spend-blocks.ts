import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { SUM_COLUMNS } from "../spend-sums-sql.ts";
import { makeSumsFunction } from "./sums-function.ts";

/**
 * Sums of whole days and of blocks of days by key, by team and by customer, and what lists need: each in the order in
 * which it is shown. The sums are made when a day is over (`spend-blocks.ts`), so that no row waits for them.
 */
export const spendBlocks: Migration = {
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
    // An index over millions of rows takes longer than a statement of a call may.
    if (isPostgres) await sql`set local statement_timeout = 0`.execute(db);
    await sql`create table spend_blocks (kind text not null, days integer not null, start_day integer not null, name text,
      ${sql.raw(SUM_COLUMNS)})`.execute(db);
    await sql`create index spend_blocks_by_day on spend_blocks (kind, days, start_day)`.execute(db);
    await sql`create index spend_blocks_by_key on spend_blocks (name) where kind = 'key'`.execute(db);
    if (isPostgres) await makeSumsFunction(db);
    for (const definition of INDEXES) await sql.raw(`create index ${definition}`).execute(db);
    await sql`drop index gateway_keys_by_time`.execute(db);
  },
};

const INDEXES = [
  "gateway_keys_by_age on gateway_keys (created_at desc, key_hash)",
  "entities_by_age on entities (kind, created_at desc, id)",
  "spend_logs_by_model on spend_logs (model, started_at)",
  "spend_logs_by_organization on spend_logs (organization_id, started_at) where organization_id is not null",
  // Rows from before migration 0051 say nothing of organizations, but belong to those of their teams.
  "spend_logs_by_lone_team on spend_logs (team_id, started_at) where organization_id is null and team_id is not null",
] as const;
