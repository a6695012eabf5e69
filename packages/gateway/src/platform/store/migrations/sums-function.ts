import { type Kysely, sql } from "kysely";
import { addToSums, endBlocks, SUMS_LOCK } from "../spend-sums-sql.ts";

/** PostgreSQL's function that adds rows to the sums as they come; a migration that changes what is summed makes it anew. */
export async function makeSumsFunction(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    create or replace function add_to_spend_sums() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${SUMS_LOCK});
      ${[...addToSums(true, "added"), endBlocks("added")].join(";\n")};
      return null;
    end $$`)
    .execute(db);
}
