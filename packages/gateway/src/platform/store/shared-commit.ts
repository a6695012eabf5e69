import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "./schema.ts";

/** Writes that belong together: all or nothing. */
type Work<T> = (db: Store["db"]) => Promise<T>;

interface Waiting {
  /** Does the writes; resolves with what tells the caller, once they are durable. */
  readonly write: (db: Store["db"]) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Callers that share a transaction. */
const MAX_TOGETHER = 64;

/**
 * Lets callers that write at the same moment share a commit, because each commit of SQLite waits for the disk and
 * stops the process meanwhile. Each caller's writes are in the database or not as if they had a transaction of their
 * own, which they have on PostgreSQL.
 */
export class SharedCommit {
  readonly #store: Store;
  #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Resolves with the result once it is durable; rejects, with nothing written, when the work throws. */
  run<T>(work: Work<T>): Promise<T> {
    const { kind, db } = this.#store;
    if (kind !== "sqlite") return db.transaction().execute(work);
    return new Promise((resolve, reject) => {
      const write = async (transaction: Store["db"]): Promise<() => void> => {
        const result = await work(transaction);
        return () => resolve(result);
      };
      this.#waiting.push({ write, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Whoever is about to write in this turn goes along.
      await nextTurn();
      const group = this.#waiting.splice(0, MAX_TOGETHER);
      try {
        const settled = await this.#store.db.transaction().execute((db) => inTurn(db, group));
        for (const tell of settled) tell();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isRunning = false;
  }
}

/** What one of them writes and then throws is taken back without the others' writes. */
async function inTurn(db: Store["db"], group: readonly Waiting[]): Promise<(() => void)[]> {
  const settled: (() => void)[] = [];
  for (const { write, reject } of group) {
    await sql`savepoint part`.execute(db);
    try {
      settled.push(await write(db));
    } catch (error) {
      await sql`rollback to part`.execute(db);
      settled.push(() => reject(error));
    }
    await sql`release part`.execute(db);
  }
  return settled;
}
