import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The provider that keeps a response: a deployment of any model has it in the name of each call alone. */
export const providersOfResponses: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("responses").addColumn("provider", "text").execute();
  },
};
