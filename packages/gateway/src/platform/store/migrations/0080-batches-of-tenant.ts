import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** A tenant's batches, newest first, without a look at everybody else's. */
export const batchesOfTenant: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex("batches_of_tenant")
      .on("batches")
      .columns(["tenant", "created_at", "id"])
      .execute();
  },
};
