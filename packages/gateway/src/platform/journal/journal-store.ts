import { setImmediate as nextTurn } from "node:timers/promises";
import { piecesOf } from "../../util/pieces.ts";
import type { Store } from "../store/schema.ts";
import { withoutDiskWait } from "../store/without-disk-wait.ts";
import type { JournalRow } from "./journals-tables.ts";

/** A piece of a stream with its place in it. */
export interface JournalEntry {
  readonly sequence: number;
  readonly data: string;
  /** Nothing comes after it. */
  readonly last: boolean;
}

/** Rows of one insert; databases limit its parameters. */
const ROWS_AT_ONCE = 500;

/** Rows of a stream that are to be written. */
interface Waiting {
  readonly rows: readonly JournalRow[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Streams, piece by piece, so that any replica can send them again from any point. */
export class JournalStore {
  readonly #store: Store;
  readonly #db: Store["db"];
  #waiting: Waiting[] = [];
  #writing = false;

  constructor(store: Store) {
    this.#store = store;
    this.#db = store.db;
  }

  /**
   * Outlives this process when it resolves. Pieces that are there already stay as they are. What many streams write at
   * the same moment is one statement.
   */
  append(streamId: string, entries: readonly JournalEntry[]): Promise<void> {
    const rows = entries.map((entry) => journalRow(streamId, entry));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ rows, resolve, reject });
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      await nextTurn();
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const rows = batch.flatMap((waiting) => waiting.rows);
        for (const some of piecesOf(rows, ROWS_AT_ONCE)) await this.#insert(some);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = false;
  }

  async #insert(rows: readonly JournalRow[]): Promise<void> {
    await withoutDiskWait(this.#store, (db) =>
      db
        .insertInto("journal_entries")
        .values(rows)
        .onConflict((conflict) => conflict.columns(["stream_id", "sequence"]).doNothing())
        .execute(),
    );
  }

  /** At most `limit` pieces behind the one with this number, in their order. */
  async read(streamId: string, after: number, limit: number): Promise<JournalEntry[]> {
    const rows = await this.#db
      .selectFrom("journal_entries")
      .select(["sequence", "data", "last"])
      .where("stream_id", "=", streamId)
      .where("sequence", ">", after)
      .orderBy("sequence")
      .limit(limit)
      .execute();
    return rows.map(({ sequence, data, last }) => ({ sequence, data, last: last === 1 }));
  }

  /** The last piece there is. */
  async lastEntry(streamId: string): Promise<JournalEntry | undefined> {
    const row = await this.#db
      .selectFrom("journal_entries")
      .select(["sequence", "data", "last"])
      .where("stream_id", "=", streamId)
      .orderBy("sequence", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && { sequence: row.sequence, data: row.data, last: row.last === 1 };
  }

  /** Forgets a stream, or what comes behind a piece of it. */
  async delete(streamId: string, after = -1): Promise<void> {
    await this.#db
      .deleteFrom("journal_entries")
      .where("stream_id", "=", streamId)
      .where("sequence", ">", after)
      .execute();
  }
}

/** A piece as its row. */
export function journalRow(streamId: string, { sequence, data, last }: JournalEntry): JournalRow {
  return { stream_id: streamId, sequence, data, last: last ? 1 : 0 };
}
