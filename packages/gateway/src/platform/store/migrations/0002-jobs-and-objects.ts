import type { Migration } from "kysely/migration";

/** The embedded queue's jobs, and the owners of objects. */
export const jobsAndObjects: Migration = {
  async up(db) {
    await db.schema
      .createTable("jobs")
      .addColumn("queue", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("payload", "text", (column) => column.notNull())
      .addColumn("checkpoint", "text")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("priority", "integer", (column) => column.notNull())
      .addColumn("run_at", "bigint", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("max_attempts", "integer", (column) => column.notNull())
      .addColumn("lease_token", "text")
      .addColumn("lease_until", "bigint")
      .addColumn("error", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("jobs_key", ["queue", "key"])
      .execute();
    await db.schema.createIndex("jobs_due").on("jobs").columns(["queue", "state", "run_at"]).execute();
    await db.schema
      .createTable("objects")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("tenant", "text", (column) => column.notNull())
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("user_id", "text")
      .addColumn("team_id", "text")
      .addColumn("deployment_id", "text")
      .addColumn("provider", "text", (column) => column.notNull())
      .addColumn("provider_id", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("data", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("objects_by_tenant")
      .on("objects")
      .columns(["kind", "tenant", "created_at", "id"])
      .execute();
    await db.schema
      .createIndex("objects_by_provider_id")
      .on("objects")
      .columns(["provider_id", "kind"])
      .execute();
  },
};
