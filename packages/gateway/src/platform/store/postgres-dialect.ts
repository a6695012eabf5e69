import { PostgresDialect } from "kysely";
import type { Logger } from "../log/logger.ts";

/** PostgreSQL's number of its `bigint` type, which pg returns as text because it may exceed a double. */
const BIGINT_TYPE = 20;

/** Kysely on PostgreSQL. The pg package is loaded only here, because most gateways run without it. */
export async function postgresDialect(url: string, logger: Logger): Promise<PostgresDialect> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    application_name: "portico",
    types: {
      // Everything that this schema keeps in bigints (times, counts) fits into a double exactly.
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === BIGINT_TYPE ? Number : pg.types.getTypeParser(type, format as "text"),
    },
  });
  // Without a listener a connection that the server closes would end the process: one that is idle,
  pool.on("error", (error) => logger.warn({ error: error.message }, "idle database connection lost"));
  // and one that is in use, between two statements of a transaction. The next statement fails and the pool drops it.
  pool.on("connect", (client) => {
    client.on("error", (error) => logger.warn({ error: error.message }, "database connection lost"));
    // Compiling a report's statement takes longer than running it; servers that do not compile refuse the setting.
    client.query("set jit = off").catch(() => undefined);
  });
  return new PostgresDialect({ pool });
}
