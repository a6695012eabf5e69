import type { Migration } from "kysely/migration";

/** Shares of budgets that outlive the process that took them. */
export const budgetHolds: Migration = {
  async up(db) {
    await db.schema
      .createTable("budget_holds")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("budget_window", "text", (column) => column.notNull())
      .addColumn("window_start", "bigint")
      .addColumn("window_end", "bigint")
      .addColumn("max_budget", "double precision", (column) => column.notNull())
      .addColumn("amount", "double precision", (column) => column.notNull())
      .addColumn("request_id", "text")
      .addColumn("call_type", "text")
      .addColumn("alive_until", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("budget_holds_key")
      .on("budget_holds")
      .columns(["key_hash", "budget_window"])
      .execute();
  },
};
