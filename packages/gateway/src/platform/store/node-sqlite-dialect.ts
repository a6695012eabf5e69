import { DatabaseSync } from "node:sqlite";
import {
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { NodeSqliteDriver } from "./node-sqlite-driver.ts";

/** Kysely on Node's own SQLite. */
export class NodeSqliteDialect implements Dialect {
  readonly #file: string;
  readonly #schema: string | undefined;

  /**
   * @param file the database's path, or `:memory:`
   * @param schema statements that make the tables of a database that is empty
   */
  constructor(file: string, schema?: string) {
    this.#file = file;
    this.#schema = schema;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(() => openDatabase(this.#file, this.#schema));
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new NodeSqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** SQLite's schema changes are part of transactions, so that two processes cannot migrate at once. */
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Write-ahead log with a sync at each commit: what was acknowledged survives a kill and a power cut. */
function openDatabase(file: string, schema: string | undefined): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec("pragma busy_timeout = 5000");
  database.exec("pragma journal_mode = wal");
  if (schema !== undefined && isEmpty(database)) makeTables(database, schema);
  database.exec("pragma synchronous = full");
  database.exec("pragma foreign_keys = on");
  // From here on the driver waits for locks itself.
  database.exec("pragma busy_timeout = 0");
  return database;
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare("select 1 from sqlite_master limit 1").get() === undefined;
}

/** Without waiting for the disk: what a power failure takes back is made again. */
function makeTables(database: DatabaseSync, schema: string): void {
  database.exec("pragma synchronous = normal");
  database.exec("begin immediate");
  // Another process may have made them by now.
  if (isEmpty(database)) database.exec(schema);
  database.exec("commit");
}
