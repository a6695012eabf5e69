import type { Migration } from "kysely/migration";

/**
 * How often something that owned files, answers and the like was deleted, by its id; what is made anew under the id counts
 * from there, so that nothing of the one before is its own.
 */
export const retiredOwners: Migration = {
  async up(db) {
    await db.schema
      .createTable("retired_owners")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("times", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("retired_owners_key", ["kind", "id"])
      .execute();
    for (const table of ["entities", "gateway_keys"])
      await db.schema
        .alterTable(table)
        .addColumn("generation", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
  },
};
