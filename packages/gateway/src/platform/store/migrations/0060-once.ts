import type { Migration } from "kysely/migration";

/** What may happen once, whatever process does it: names of what has happened, kept until it cannot happen again. */
export const once: Migration = {
  async up(db) {
    await db.schema
      .createTable("happened")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("kept_until", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("happened_by_end").on("happened").column("kept_until").execute();
  },
};
