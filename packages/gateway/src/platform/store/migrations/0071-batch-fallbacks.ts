import type { Migration } from "kysely/migration";

/** How the gateway runs a batch itself that a provider took and then does not have. */
export const batchFallbacks: Migration = {
  async up(db) {
    await db.schema.alterTable("batch_submissions").addColumn("fallback", "text").execute();
  },
};
