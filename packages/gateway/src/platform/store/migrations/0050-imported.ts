import type { Migration } from "kysely/migration";

/** What was taken over from another gateway's database. */
export const imported: Migration = {
  async up(db) {
    await db.schema
      .createTable("imported")
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("source_mark", "text", (column) => column.notNull())
      .addColumn("mark", "text", (column) => column.notNull())
      .addColumn("spend", "double precision", (column) => column.notNull())
      .addPrimaryKeyConstraint("imported_key", ["source", "kind", "id"])
      .execute();
  },
};
