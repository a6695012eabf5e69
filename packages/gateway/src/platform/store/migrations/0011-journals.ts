import type { Migration } from "kysely/migration";

/** Streams that can be taken up again, and the keys under which callers repeat requests. */
export const journals: Migration = {
  async up(db) {
    await db.schema
      .createTable("journal_entries")
      .addColumn("stream_id", "text", (column) => column.notNull())
      .addColumn("sequence", "integer", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("last", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("journal_entries_key", ["stream_id", "sequence"])
      .execute();
    await db.schema
      .createTable("idempotency_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("request_hash", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("alive_until", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("status", "integer")
      .addColumn("headers", "text")
      .addColumn("body", "text")
      .execute();
    await db.schema.createIndex("idempotency_expiry").on("idempotency_keys").column("expires_at").execute();
  },
};
