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

  /** @param file the database's path, or `:memory:` */
  constructor(file: string) {
    this.#file = file;
  }

  createDriver(): Driver {
    return new NodeSqliteDriver(() => openDatabase(this.#file));
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
function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec("pragma busy_timeout = 5000");
  database.exec("pragma journal_mode = wal");
  database.exec("pragma synchronous = full");
  database.exec("pragma foreign_keys = on");
  // From here on the driver waits for locks itself.
  database.exec("pragma busy_timeout = 0");
  return database;
}
