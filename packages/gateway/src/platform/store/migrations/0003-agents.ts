import type { Migration } from "kysely/migration";

/** Agent definitions; the database itself keeps names unique, whichever replica is asked. */
export const agents: Migration = {
  async up(db) {
    await db.schema
      .createTable("agents")
      .addColumn("agent_id", "text", (column) => column.primaryKey())
      .addColumn("agent_name", "text", (column) => column.notNull().unique())
      .addColumn("agent_card_params", "text", (column) => column.notNull())
      .addColumn("gateway_params", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("updated_by", "text", (column) => column.notNull())
      .execute();
  },
};
