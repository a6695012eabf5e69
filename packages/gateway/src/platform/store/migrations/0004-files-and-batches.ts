import type { Migration } from "kysely/migration";

const counts = [
  "total",
  "completed",
  "failed",
  "input_tokens",
  "cached_tokens",
  "output_tokens",
  "reasoning_tokens",
];
const times = [
  "in_progress_at",
  "finalizing_at",
  "completed_at",
  "failed_at",
  "expired_at",
  "cancelling_at",
  "cancelled_at",
];

/** Files in the database, and the batches whose rows the gateway keeps. */
export const filesAndBatches: Migration = {
  async up(db) {
    await db.schema
      .createTable("file_pieces")
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("piece", "integer", (column) => column.notNull())
      .addColumn("bytes", "bytea", (column) => column.notNull())
      .addPrimaryKeyConstraint("file_pieces_key", ["key", "piece"])
      .execute();
    let batches = db.schema
      .createTable("batches")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("tenant", "text", (column) => column.notNull())
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("principal", "text", (column) => column.notNull())
      .addColumn("runner", "text", (column) => column.notNull())
      .addColumn("provider", "text", (column) => column.notNull())
      .addColumn("deployment_id", "text")
      .addColumn("model", "text")
      .addColumn("endpoint", "text", (column) => column.notNull())
      .addColumn("input_file_id", "text", (column) => column.notNull())
      .addColumn("input_key", "text")
      .addColumn("completion_window", "text", (column) => column.notNull())
      .addColumn("metadata", "text")
      .addColumn("webhook_url", "text")
      .addColumn("output_expires_after", "bigint")
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("errors", "text")
      .addColumn("output_file_id", "text")
      .addColumn("error_file_id", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull());
    for (const name of counts) batches = batches.addColumn(name, "bigint", (column) => column.notNull());
    for (const name of times) batches = batches.addColumn(name, "bigint");
    await batches.execute();
    await db.schema.createIndex("batches_by_time").on("batches").columns(["created_at", "id"]).execute();
    await db.schema
      .createTable("batch_rows")
      .addColumn("batch_id", "text", (column) => column.notNull())
      .addColumn("line", "integer", (column) => column.notNull())
      .addColumn("custom_id", "text", (column) => column.notNull())
      .addColumn("line_from", "bigint", (column) => column.notNull())
      .addColumn("line_length", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("not_before", "bigint", (column) => column.notNull())
      .addColumn("result", "text")
      .addPrimaryKeyConstraint("batch_rows_key", ["batch_id", "line"])
      .execute();
  },
};
