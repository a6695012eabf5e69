import type { Migration } from "kysely/migration";

/** Objects whose time is over are looked for every few minutes. */
export const objectExpiry: Migration = {
  async up(db) {
    await db.schema.createIndex("objects_expiry").on("objects").columns(["kind", "expires_at"]).execute();
  },
};
