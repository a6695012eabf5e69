import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";

/** One connection, lent to one user at a time: SQLite has a single writer, and its calls are synchronous anyway. */
export class NodeSqliteDriver implements Driver {
  readonly #open: () => DatabaseSync;
  #connection: NodeSqliteConnection | undefined;
  #database: DatabaseSync | undefined;
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(open: () => DatabaseSync) {
    this.#open = open;
  }

  async init(): Promise<void> {
    this.#database = this.#open();
    this.#connection = new NodeSqliteConnection(this.#database);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#released;
    let release: () => void = () => {};
    this.#released = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection!;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  /** Takes the write lock at once: a transaction that only then finds out that it must write could not wait for it. */
  async beginTransaction(): Promise<void> {
    await this.#connection!.begin();
  }

  async commitTransaction(): Promise<void> {
    await this.#connection!.commit();
  }

  async rollbackTransaction(): Promise<void> {
    await this.#connection!.rollback();
  }

  async destroy(): Promise<void> {
    this.#database?.close();
  }
}

/** Milliseconds to wait for another process's transaction, and between two looks. */
const MAX_WAIT = 10_000;
const BETWEEN_TRIES = 5;

/** Milliseconds of statements after which others have their turn. */
const MAX_TURN = 5;

/** Statements kept prepared; inserts of many rows are large in memory and rarely the same twice. */
const MAX_STATEMENTS = 64;
const MAX_KEPT = 4096;

interface PreparedStatement {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/**
 * Waits for the lock between statements rather than inside SQLite (`busy_timeout`), which would stop the whole
 * process meanwhile. Only the first statement of a transaction can find the lock taken. No statement waits for anything
 * itself, so that a chain of large ones would be one turn of the event loop without the turns between them.
 */
class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, PreparedStatement>();
  /** Milliseconds of statements since others had their turn. */
  #worked = 0;
  #isInTransaction = false;
  /** Why SQLite took the transaction back by itself, as it does for a full disk: nothing more belongs to it. */
  #lostBy: unknown;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async begin(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw("begin immediate"));
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw("commit"));
    this.#isInTransaction = false;
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false;
    this.#lostBy = undefined;
    if (this.#database.isTransaction) await this.executeQuery(CompiledQuery.raw("rollback"));
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // It would be in force at once, without the others.
    if (this.#lostBy !== undefined) throw this.#lostBy;
    const deadline = performance.now() + MAX_WAIT;
    for (;;) {
      try {
        const began = performance.now();
        const result = this.#run<Row>(query);
        this.#worked += performance.now() - began;
        if (this.#worked < MAX_TURN) return result;
        this.#worked = 0;
        await nextTurn();
        return result;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) {
          if (this.#isInTransaction && !this.#database.isTransaction) this.#lostBy = error;
          throw error;
        }
        await sleep(BETWEEN_TRIES);
      }
    }
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    // Takes effect when it is prepared, so it must not be kept prepared.
    if (sql.startsWith("pragma synchronous")) {
      this.#database.exec(sql);
      return { rows: [] };
    }
    const { statement, returnsRows } = this.#prepared(sql);
    const values = parameters.map(toSqlite);
    if (returnsRows) return { rows: statement.all(...values) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Preparing costs more than running; schema changes are noticed by SQLite itself. */
  #prepared(sql: string): PreparedStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    if (sql.length > MAX_KEPT) return prepared;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.#database.prepare(sql).iterate(...parameters.map(toSqlite)))
      yield { rows: [row as Row] };
  }
}

/** SQLITE_BUSY, with or without an extended code. */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && (code & 0xff) === 5;
}

/** SQLite knows neither booleans nor `undefined`. */
function toSqlite(value: unknown): SQLInputValue {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value as SQLInputValue;
}
