import type { Migration } from "kysely/migration";

/** Who works on what, until when, and how far it got. */
export const leases: Migration = {
  async up(db) {
    await db.schema
      .createTable("leases")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("owner", "text")
      .addColumn("alive_until", "bigint")
      .addColumn("checkpoint", "text")
      .addPrimaryKeyConstraint("leases_key", ["kind", "name"])
      .execute();
    await db.schema.createIndex("leases_lost").on("leases").columns(["kind", "alive_until"]).execute();
  },
};
