import type { Migration } from "kysely/migration";

/** Keys, spend log, key spend, budget windows, shared settings. */
export const keysAndSpend: Migration = {
  async up(db) {
    await db.schema
      .createTable("gateway_keys")
      .addColumn("key_hash", "text", (column) => column.primaryKey())
      .addColumn("key_name", "text", (column) => column.notNull())
      .addColumn("key_alias", "text", (column) => column.unique())
      .addColumn("user_id", "text")
      .addColumn("user_role", "text", (column) => column.notNull())
      .addColumn("team_id", "text")
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("team_metadata", "text", (column) => column.notNull())
      .addColumn("allowed_model_region", "text")
      .addColumn("models", "text", (column) => column.notNull())
      .addColumn("rpm_limit", "bigint")
      .addColumn("tpm_limit", "bigint")
      .addColumn("max_parallel_requests", "bigint")
      .addColumn("max_budget", "double precision")
      .addColumn("budget_duration", "text")
      .addColumn("blocked", "integer", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("updated_by", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("spend_logs")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("user_id", "text")
      .addColumn("team_id", "text")
      .addColumn("model", "text")
      .addColumn("model_id", "text")
      .addColumn("provider", "text")
      .addColumn("call_type", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("prompt_tokens", "bigint", (column) => column.notNull())
      .addColumn("completion_tokens", "bigint", (column) => column.notNull())
      .addColumn("cache_read_tokens", "bigint", (column) => column.notNull())
      .addColumn("cache_write_tokens", "bigint", (column) => column.notNull())
      .addColumn("spend", "double precision", (column) => column.notNull())
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .addColumn("ended_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("spend_logs_by_time")
      .on("spend_logs")
      .columns(["started_at", "id"])
      .execute();
    await db.schema
      .createIndex("spend_logs_by_key")
      .on("spend_logs")
      .columns(["key_hash", "started_at"])
      .execute();
    await db.schema.createIndex("spend_logs_by_request").on("spend_logs").column("request_id").execute();
    await db.schema
      .createTable("key_spend")
      .addColumn("key_hash", "text", (column) => column.primaryKey())
      .addColumn("spend", "double precision", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("budget_windows")
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("window_start", "bigint", (column) => column.notNull())
      .addColumn("spend", "double precision", (column) => column.notNull())
      .addPrimaryKeyConstraint("budget_windows_key", ["key_hash", "window_start"])
      .execute();
    await db.schema
      .createTable("settings")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("versions")
      .addColumn("topic", "text", (column) => column.primaryKey())
      .addColumn("version", "bigint", (column) => column.notNull())
      .execute();
  },
};
