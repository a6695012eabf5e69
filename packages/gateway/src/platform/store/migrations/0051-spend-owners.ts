import type { Migration } from "kysely/migration";

/** For whom calls were made: what spend rows say beside key, user and team. Rows from before say nothing of it. */
export const spendOwners: Migration = {
  async up(db) {
    for (const column of ["organization_id", "end_user", "tags"])
      await db.schema.alterTable("spend_logs").addColumn(column, "text").execute();
    for (const column of ["team_id", "user_id"])
      await db.schema
        .createIndex(`spend_logs_by_${column}`)
        .on("spend_logs")
        .columns([column, "started_at"])
        .execute();
  },
};
