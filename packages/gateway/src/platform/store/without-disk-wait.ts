import { sql } from "kysely";
import type { Store } from "./schema.ts";

/**
 * Runs writes that must outlive this process but not a power failure, such as the pieces of a stream: on SQLite they
 * are in the log of the operating system when this resolves, without waiting for the disk, which would stop the whole
 * process for some milliseconds each time.
 */
export function withoutDiskWait<T>(
  { kind, db }: Pick<Store, "kind" | "db">,
  run: (db: Store["db"]) => Promise<T>,
): Promise<T> {
  if (kind !== "sqlite") return run(db);
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await run(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
