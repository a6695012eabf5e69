import { type Kysely, PostgresAdapter, sql } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Tells PostgreSQL that a key has one user, team and organization, and a user few teams. Without that it takes the rows of a
 * user in a team for a twentieth of what they are, and then reads and sorts all of them for a page.
 */
export const spendStatistics: Migration = {
  async up(db: Kysely<unknown>) {
    if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
    await sql`set local statement_timeout = 0`.execute(db);
    await sql`create statistics spend_logs_owners (dependencies)
      on key_hash, user_id, team_id, organization_id from spend_logs`.execute(db);
    await sql`analyze spend_logs`.execute(db);
  },
};
