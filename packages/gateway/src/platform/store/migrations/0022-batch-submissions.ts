import type { Migration } from "kysely/migration";

/** Batches on their way to a provider, so that one whose answer was lost is found again. */
export const batchSubmissions: Migration = {
  async up(db) {
    await db.schema
      .createTable("batch_submissions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("alive_until", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("token", "text", (column) => column.notNull())
      .addColumn("principal", "text", (column) => column.notNull())
      .addColumn("input_file_id", "text", (column) => column.notNull())
      .addColumn("webhook_url", "text")
      .addColumn("provider", "text", (column) => column.notNull())
      .addColumn("deployment_id", "text")
      .addColumn("provider_file_id", "text")
      .addColumn("body", "text")
      .addColumn("sent_at", "bigint")
      .addColumn("answer", "text")
      .execute();
    await db.schema
      .createIndex("batch_submissions_by_file")
      .on("batch_submissions")
      .column("provider_file_id")
      .execute();
  },
};
