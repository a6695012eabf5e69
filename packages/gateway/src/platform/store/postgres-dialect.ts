import { PostgresDialect } from "kysely";
import type * as PG from "pg";
import type { ClientBase, CustomTypesConfig, Pool } from "pg";
import { storableText } from "../../util/storable-text.ts";
import type { Logger } from "../log/logger.ts";
import { answeringClient } from "./answering-client.ts";
import { patientPool } from "./patient-pool.ts";

/** PostgreSQL's number of its `bigint` type, which pg returns as text because it may exceed a double. */
const BIGINT_TYPE = 20;

/**
 * How reports run. Compiling a statement takes longer than running it. Some workers at once add up what each has found in
 * another order, and then sort it on the disk: all in one process and in memory takes less than half of their time.
 */
const SETTINGS = `select set_config(name, value, false)
  from (values ('jit', 'off'), ('max_parallel_workers_per_gather', '0'), ('work_mem', '32MB')) as wanted (name, value)
  join pg_settings using (name)
  where case when name = 'work_mem' then setting::bigint < 32 * 1024 else true end`;

/** Connections of a process at most: for what every call waits for, and for everything else. */
const MAX_OF_CALLS = 6;
const MAX_OF_OTHERS = 10;

/**
 * Kysely on PostgreSQL, twice: what every call waits for has connections of its own. The pg package is loaded only here,
 * because most gateways run without it.
 */
export async function postgresDialects(
  url: string,
  logger: Logger,
): Promise<{ readonly all: PostgresDialect; readonly ofCalls: PostgresDialect }> {
  const connection = { connectionString: url, keepAlive: true, application_name: "portico" };
  const Client = await answeringClient(connection, logger);
  const { default: pg } = await import("pg");
  const config = { ...connection, Client, types: typesOf(pg) };
  const poolOf = (max: number) => watched(new pg.Pool({ ...config, ...PATIENCE, max }), logger);
  const silence = () => Client.silence();
  const all = patientPool(poolOf(MAX_OF_OTHERS), logger, silence);
  const ofCalls = patientPool(poolOf(MAX_OF_CALLS), logger, silence, all);
  return { all: new PostgresDialect({ pool: all }), ofCalls: new PostgresDialect({ pool: ofCalls }) };
}

/** Milliseconds that a free connection and a statement may take. */
const PATIENCE = { connectionTimeoutMillis: 5000, statement_timeout: 30_000 };

/** Everything that this schema keeps in bigints (times, counts) fits into a double exactly. */
function typesOf({ types }: Pick<typeof PG, "types">): CustomTypesConfig {
  return {
    getTypeParser: (type: number, format?: "text" | "binary") =>
      type === BIGINT_TYPE ? Number : types.getTypeParser(type, format as "text"),
  };
}

function watched(pool: Pool, logger: Logger): Pool {
  // Without a listener a connection that the server closes would end the process: one that is idle,
  pool.on("error", (error) => logger.warn({ error: error.message }, "idle database connection lost"));
  // and one that is in use, between two statements of a transaction. The next statement fails and the pool drops it.
  pool.on("connect", (client) => {
    keepsTexts(client);
    client.on("error", (error) => logger.warn({ error: error.message }, "database connection lost"));
    // What speaks PostgreSQL's language and lacks its settings does without.
    client.query(SETTINGS).catch(() => undefined);
  });
  return pool;
}

/** Has every text in a statement be one that PostgreSQL takes. */
function keepsTexts(client: ClientBase): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const storable = (value: unknown): unknown => (typeof value === "string" ? storableText(value) : value);
  const asked = (statement: unknown, values?: unknown, ...more: unknown[]): unknown =>
    query(statement, Array.isArray(values) ? values.map(storable) : values, ...more);
  client.query = asked as typeof client.query;
}
