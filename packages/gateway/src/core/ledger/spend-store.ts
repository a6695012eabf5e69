import { CompiledQuery, type Kysely, sql } from "kysely";
import type { Schema } from "../../platform/store/schema.ts";
import type { Store } from "../../platform/store/store.ts";
import { type BudgetWindowRow, type SpendRow, spendColumns } from "./spend-tables.ts";

/** Rows in one insert. A few sizes only, so that their statements stay prepared. */
const insertSizes = [64, 8, 1] as const;

/** Which rows of the log a page shows; times in milliseconds since the epoch, the end excluded. */
export interface SpendFilter {
  readonly keyHash?: string;
  readonly userId?: string;
  readonly teamId?: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly start?: number;
  readonly end?: number;
}

/** A key's spend to add to its budget window. */
export type WindowSpend = BudgetWindowRow;

/** The spend log and the sums over it. */
export class SpendStore {
  readonly #store: Store;
  /** Texts of the inserts by their number of rows. */
  readonly #inserts = new Map<number, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Appends rows and adds them to the sums in one transaction: a sum never differs from its rows. */
  async append(rows: readonly SpendRow[], windows: readonly WindowSpend[]): Promise<void> {
    await this.#store.db.transaction().execute(async (db) => {
      await this.#insert(db, rows);
      // In the order of their keys, so that two replicas never wait for each other's rows.
      for (const [key_hash, spend] of [...spendByKey(rows)].sort(byFirst))
        await db
          .insertInto("key_spend")
          .values({ key_hash, spend })
          .onConflict((conflict) =>
            conflict.column("key_hash").doUpdateSet({ spend: sql<number>`key_spend.spend + excluded.spend` }),
          )
          .execute();
      for (const window of [...windows].sort((left, right) => (left.key_hash < right.key_hash ? -1 : 1)))
        await db
          .insertInto("budget_windows")
          .values(window)
          .onConflict((conflict) =>
            conflict
              .columns(["key_hash", "window_start"])
              .doUpdateSet({ spend: sql<number>`budget_windows.spend + excluded.spend` }),
          )
          .execute();
    });
  }

  async #insert(db: Kysely<Schema>, rows: readonly SpendRow[]): Promise<void> {
    let from = 0;
    for (const size of insertSizes) {
      for (; rows.length - from >= size; from += size) {
        const values: unknown[] = [];
        for (let at = from; at < from + size; at += 1)
          for (const column of spendColumns) values.push(rows[at]![column]);
        await db.executeQuery(CompiledQuery.raw(this.#insertText(size, rows[from]!), values));
      }
    }
  }

  /** Kysely's own text, made once: for each row anew it would cost more than the database's part. */
  #insertText(size: number, sample: SpendRow): string {
    let text = this.#inserts.get(size);
    if (text === undefined) {
      const row = Object.fromEntries(
        spendColumns.map((column) => [column, sample[column]]),
      ) as unknown as SpendRow;
      text = this.#store.db.insertInto("spend_logs").values(Array(size).fill(row)).compile().sql;
      this.#inserts.set(size, text);
    }
    return text;
  }

  /** What a key has spent in all, in US dollars. */
  async spendOf(keyHash: string): Promise<number> {
    const row = await this.#store.db
      .selectFrom("key_spend")
      .select("spend")
      .where("key_hash", "=", keyHash)
      .executeTakeFirst();
    return row?.spend ?? 0;
  }

  async spendOfAll(keyHashes: readonly string[]): Promise<Map<string, number>> {
    if (keyHashes.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("key_spend")
      .selectAll()
      .where("key_hash", "in", keyHashes)
      .execute();
    return new Map(rows.map((row) => [row.key_hash, row.spend]));
  }

  /** What a key has spent in the budget window that began at `windowStart`. */
  async spendInWindow(keyHash: string, windowStart: number): Promise<number> {
    const row = await this.#store.db
      .selectFrom("budget_windows")
      .select("spend")
      .where("key_hash", "=", keyHash)
      .where("window_start", "=", windowStart)
      .executeTakeFirst();
    return row?.spend ?? 0;
  }

  /** A page of the log, newest first. */
  page(filter: SpendFilter, offset: number, limit: number): Promise<SpendRow[]> {
    let query = this.#store.db.selectFrom("spend_logs").selectAll();
    if (filter.keyHash !== undefined) query = query.where("key_hash", "=", filter.keyHash);
    if (filter.userId !== undefined) query = query.where("user_id", "=", filter.userId);
    if (filter.teamId !== undefined) query = query.where("team_id", "=", filter.teamId);
    if (filter.model !== undefined) query = query.where("model", "=", filter.model);
    if (filter.requestId !== undefined) query = query.where("request_id", "=", filter.requestId);
    if (filter.start !== undefined) query = query.where("started_at", ">=", filter.start);
    if (filter.end !== undefined) query = query.where("started_at", "<", filter.end);
    return query.orderBy("started_at", "desc").orderBy("id", "desc").offset(offset).limit(limit).execute();
  }
}

function spendByKey(rows: readonly SpendRow[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { key_hash, spend } of rows) {
    if (spend !== 0) sums.set(key_hash, (sums.get(key_hash) ?? 0) + spend);
  }
  return sums;
}

function byFirst(left: [string, number], right: [string, number]): number {
  return left[0] < right[0] ? -1 : 1;
}
