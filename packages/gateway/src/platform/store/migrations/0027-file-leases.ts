import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Milliseconds without a sign after which the writer of a file counts as dead. */
const ALIVE_MS = 24 * 3_600_000;

/**
 * What is being written is a lease of its writer. The table that said so before stays as it is for replicas that are
 * not replaced yet; nothing reads it when the last of them is gone.
 */
export const fileLeases: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      insert into leases (kind, name, owner, alive_until, checkpoint)
      select 'file', key, 'writer', touched_at + ${sql.lit(ALIVE_MS)},
        case when upload_id is null then null else '{"uploadId":"' || upload_id || '"}' end
      from unclaimed_files`.execute(db);
  },
};
