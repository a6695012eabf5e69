import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Dialect, Kysely, sql } from "kysely";
import { SetupError } from "../../contract/setup-error.ts";
import { type GatewayConfig, hasStore } from "../config/gateway-config.ts";
import type { Logger } from "../log/logger.ts";
import { redact } from "../log/redact.ts";
import { closeToOthers, makeDataDirectory } from "./data-directory.ts";
import { databaseProblem } from "./database-problem.ts";
import { migrate } from "./migrations/migrate.ts";
import { readySchema } from "./migrations/ready-schema.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { ProcessLock } from "./process-lock.ts";
import type { Schema, Store, StoreLocation } from "./schema.ts";
import { withoutDiskWait } from "./without-disk-wait.ts";

/**
 * Opens the store that the configuration names and brings its schema up to date: PostgreSQL where `database_url` or
 * DATABASE_URL is one of its addresses, nothing for `none`, else SQLite in the data directory.
 * @param isGateway of which an SQLite database serves one alone, because limits, budgets and jobs count in its process
 */
export async function openStore(
  config: GatewayConfig,
  dataDirectory: string,
  logger: Logger,
  isGateway = false,
): Promise<Store | undefined> {
  if (!hasStore(config)) return undefined;
  const url = config.generalSettings.databaseUrl ?? config.environment.DATABASE_URL;
  if (url === undefined || url === "")
    return isGateway ? openOnlySqliteStore(dataDirectory) : openSqliteStore(dataDirectory);
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgresStore(url, logger);
  throw new SetupError(
    `DATABASE_URL (or general_settings.database_url) must begin with postgres:// or be none, not with ${redact(url.slice(0, 12))}`,
  );
}

/**
 * The embedded store.
 * @param schema what the migrations make of an empty database, where it is known
 */
export function openSqliteStore(dataDirectory: string, schema = readySchema): Promise<Store> {
  makeDataDirectory(dataDirectory);
  const file = join(dataDirectory, "portico.sqlite");
  // SQLite gives the files beside a database the database's own mode.
  if (!existsSync(file)) writeFileSync(file, "", { mode: 0o600, flag: "a" });
  for (const suffix of ["", "-wal", "-shm"]) closeToOthers(file + suffix, 0o600);
  return open({ kind: "sqlite", file }, new NodeSqliteDialect(file, schema));
}

const GATEWAY_LOCK = "gateway.lock";

/** @throws SetupError while another gateway has the store */
async function openOnlySqliteStore(dataDirectory: string): Promise<Store> {
  makeDataDirectory(dataDirectory);
  const lock = ProcessLock.take(dataDirectory, GATEWAY_LOCK);
  if (lock === undefined)
    throw new SetupError(
      `another gateway runs in the data directory ${dataDirectory}, and an SQLite database serves one alone; stop it, name another folder with --data-dir, or set DATABASE_URL to a PostgreSQL database, which replicas share`,
    );
  try {
    const store = await openSqliteStore(dataDirectory);
    return { ...store, close: () => store.close().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The store that replicas share. */
export async function openPostgresStore(url: string, logger: Logger): Promise<Store> {
  const { postgresDialects } = await import("./postgres-dialect.ts");
  const { all, ofCalls } = await postgresDialects(url, logger);
  const store = await open({ kind: "postgres", url }, all, ofCalls);
  if (await isOfLiteLlm(store))
    logger.warn(
      "DATABASE_URL names LiteLLM's own database, whose migrations may drop the gateway's tables: give the gateway a database of its own, then run portico import litellm",
    );
  return store;
}

/** Whether LiteLLM keeps its keys there: whoever comes from it has `DATABASE_URL` set. */
async function isOfLiteLlm({ db }: Store): Promise<boolean> {
  const found = await sql<{
    name: string | null;
  }>`select to_regclass('"LiteLLM_VerificationToken"')::text as name`.execute(db);
  return found.rows[0]?.name != null;
}

/** @param dialectOfCalls absent where there is one connection for everybody */
async function open(location: StoreLocation, dialect: Dialect, dialectOfCalls?: Dialect): Promise<Store> {
  const { kind } = location;
  const db = new Kysely<Schema>({ dialect });
  const ofCalls = dialectOfCalls === undefined ? db : new Kysely<Schema>({ dialect: dialectOfCalls });
  const close = async (): Promise<void> => {
    await db.destroy();
    if (ofCalls !== db) await ofCalls.destroy();
  };
  try {
    // What a power failure takes back is made again at the next start.
    await withoutDiskWait({ kind, db }, migrate);
  } catch (error) {
    await close();
    throw new SetupError(openFailure(kind, error), { cause: error });
  }
  const isAlive = async (): Promise<boolean> => {
    try {
      await sql`select 1`.execute(ofCalls);
      return true;
    } catch {
      return false;
    }
  };
  return { kind, location, db, ofCalls, isAlive, close };
}

/** Why a database cannot be used, in the words of its driver, with the next step. */
function openFailure(kind: Store["kind"], error: unknown): string {
  const problem = databaseProblem(error);
  if (problem !== undefined) return problem;
  const reason =
    error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
  return kind === "postgres"
    ? `PostgreSQL at DATABASE_URL cannot be used (${reason}); check that it runs and that address, user and password are right`
    : `the database in the data directory cannot be used (${reason}); name another folder with --data-dir`;
}
