import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { migrations } from "./migrations.ts";

/** Each migration once, also when several replicas start at the same moment: the migrator holds a lock. */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  if (await isCurrent(db)) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * Whether a store has exactly the migrations of this version. The migrator finds that out too, after a look at every table and its
 * columns.
 */
async function isCurrent<T>(db: Kysely<T>): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    const done = rows.map(({ name }) => name).sort();
    return isDeepStrictEqual(done, Object.keys(migrations).sort());
  } catch (error) {
    if (isMissingTable(error)) return false;
    throw error;
  }
}

/** PostgreSQL's `undefined_table`, or what SQLite says of one. */
function isMissingTable(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "42P01" || message.startsWith("no such table");
}
