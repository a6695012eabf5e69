import type { Migration } from "kysely/migration";

/** Organizations, teams, users, customers, budgets and tags, who is a member where, renewed keys, and the audit log. */
export const governance: Migration = {
  async up(db) {
    await db.schema.alterTable("gateway_keys").addColumn("organization_id", "text").execute();
    await db.schema
      .alterTable("gateway_keys")
      .addColumn("settings", "text", (column) => column.notNull().defaultTo("{}"))
      .execute();
    for (const column of ["team_id", "user_id", "organization_id"])
      await db.schema.createIndex(`gateway_keys_by_${column}`).on("gateway_keys").column(column).execute();
    await db.schema
      .createIndex("gateway_keys_by_time")
      .on("gateway_keys")
      .columns(["created_at", "key_hash"])
      .execute();
    await db.schema
      .createTable("renewed_keys")
      .addColumn("old_hash", "text", (column) => column.primaryKey())
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("revoked_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("renewed_keys_by_key").on("renewed_keys").column("key_hash").execute();
    await db.schema
      .createTable("entities")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("alias", "text")
      .addColumn("email", "text")
      .addColumn("organization_id", "text")
      .addColumn("settings", "text", (column) => column.notNull())
      .addColumn("version", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("updated_by", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("entities_key", ["kind", "id"])
      .execute();
    for (const column of ["alias", "email", "organization_id", "created_at"])
      await db.schema
        .createIndex(`entities_by_${column}`)
        .on("entities")
        .columns(["kind", column, "id"])
        .execute();
    await db.schema
      .createTable("memberships")
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("parent_id", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("settings", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("memberships_key", ["kind", "parent_id", "user_id"])
      .execute();
    await db.schema
      .createIndex("memberships_by_user")
      .on("memberships")
      .columns(["user_id", "kind"])
      .execute();
    await db.schema
      .createTable("audit_log")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("changed_by", "text", (column) => column.notNull())
      .addColumn("changed_by_api_key", "text", (column) => column.notNull())
      .addColumn("address", "text")
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("table_name", "text", (column) => column.notNull())
      .addColumn("object_id", "text", (column) => column.notNull())
      .addColumn("organization_id", "text")
      .addColumn("team_id", "text")
      .addColumn("before_value", "text")
      .addColumn("updated_values", "text")
      .execute();
    await db.schema.createIndex("audit_log_by_time").on("audit_log").columns(["updated_at", "id"]).execute();
    await db.schema
      .createIndex("audit_log_by_object")
      .on("audit_log")
      .columns(["table_name", "object_id", "updated_at"])
      .execute();
  },
};
