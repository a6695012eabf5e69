import type { Migration } from "kysely/migration";

/** Models, credentials and access groups that are made at run time. */
export const configEntries: Migration = {
  async up(db) {
    await db.schema
      .createTable("config_entries")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("revision", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("updated_by", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("config_entries_key", ["kind", "name"])
      .execute();
  },
};
