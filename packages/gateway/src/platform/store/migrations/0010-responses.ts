import type { Migration } from "kysely/migration";

/** Responses and conversations with their items, kept apart so that chains read items alone. */
export const responses: Migration = {
  async up(db) {
    await db.schema
      .createTable("responses")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("tenant", "text", (column) => column.notNull())
      .addColumn("previous_id", "text")
      .addColumn("conversation_id", "text")
      .addColumn("deployment_id", "text")
      .addColumn("provider_id", "text")
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("alive_until", "bigint")
      .addColumn("answer", "text", (column) => column.notNull())
      .addColumn("job", "text")
      .execute();
    await db.schema.createIndex("responses_expiry").on("responses").column("expires_at").execute();
    await db.schema
      .createTable("response_items")
      .addColumn("response_id", "text", (column) => column.notNull())
      .addColumn("position", "integer", (column) => column.notNull())
      .addColumn("direction", "text", (column) => column.notNull())
      .addColumn("item_id", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("response_items_key", ["response_id", "direction", "position"])
      .execute();
    await db.schema.createIndex("response_items_by_id").on("response_items").column("item_id").execute();
    await db.schema
      .createTable("conversations")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("conversation_items")
      .addColumn("conversation_id", "text", (column) => column.notNull())
      .addColumn("position", "text", (column) => column.notNull())
      .addColumn("item_id", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("conversation_items_key", ["conversation_id", "position"])
      .execute();
  },
};
