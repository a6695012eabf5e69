import type { Migration } from "kysely/migration";

/** Files that were begun and that nothing names yet. */
export const unclaimedFiles: Migration = {
  async up(db) {
    await db.schema
      .createTable("unclaimed_files")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("upload_id", "text")
      .addColumn("touched_at", "bigint", (column) => column.notNull())
      .addColumn("swept_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
