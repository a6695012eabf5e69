import type { Migration } from "kysely/migration";

/** Responses are looked for by their providers' ids too: another tenant must not reach them so. */
export const responseProviderIds: Migration = {
  async up(db) {
    await db.schema.createIndex("responses_by_provider_id").on("responses").column("provider_id").execute();
  },
};
