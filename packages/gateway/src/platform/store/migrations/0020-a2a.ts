import type { Migration } from "kysely/migration";

/** Tasks of agents, their events, contexts at remote agents, and where notifications go. */
export const a2a: Migration = {
  async up(db) {
    await db.schema
      .createTable("a2a_tasks")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("tenant", "text", (column) => column.notNull())
      .addColumn("context_id", "text", (column) => column.notNull())
      .addColumn("remote_id", "text")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("task", "text", (column) => column.notNull())
      .addColumn("transcript", "text", (column) => column.notNull())
      .addColumn("refusal", "text")
      .addColumn("last_event", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("a2a_tasks_by_owner")
      .on("a2a_tasks")
      .columns(["agent_id", "tenant", "updated_at", "id"])
      .execute();
    await db.schema
      .createIndex("a2a_tasks_by_context")
      .on("a2a_tasks")
      .columns(["context_id", "created_at"])
      .execute();
    await db.schema.createIndex("a2a_tasks_by_remote_id").on("a2a_tasks").column("remote_id").execute();
    await db.schema
      .createTable("a2a_events")
      .addColumn("task_id", "text", (column) => column.notNull())
      .addColumn("number", "bigint", (column) => column.notNull())
      .addColumn("event", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("a2a_events_key", ["task_id", "number"])
      .execute();
    await db.schema
      .createTable("a2a_contexts")
      .addColumn("agent_id", "text", (column) => column.notNull())
      .addColumn("tenant", "text", (column) => column.notNull())
      .addColumn("context_id", "text", (column) => column.notNull())
      .addColumn("remote_context_id", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("a2a_contexts_key", ["agent_id", "tenant", "context_id"])
      .execute();
    await db.schema
      .createTable("a2a_push_configs")
      .addColumn("task_id", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("version", "text", (column) => column.notNull())
      .addColumn("config", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("a2a_push_configs_key", ["task_id", "id"])
      .execute();
  },
};
