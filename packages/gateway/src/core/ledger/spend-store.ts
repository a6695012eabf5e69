import type { Expression, SqlBool } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import type { ScopeWindow } from "./budget-window.ts";
import type { SpendRow } from "./spend-tables.ts";

/** Which rows of the log a page shows; times in milliseconds since the epoch, the end excluded. */
export interface SpendFilter {
  readonly keyHash?: string;
  readonly userId?: string;
  readonly teamId?: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly start?: number;
  readonly end?: number;
  /** Conditions on rows that must hold too. */
  readonly within?: readonly Expression<SqlBool>[];
}

/** The spend log and the sums over it, for reading: rows come in through the ledger. */
export class SpendStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
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

  /** What was spent in all in scopes beside keys, by their owners; those that spent nothing are left out. */
  async spendOfScopes(owners: readonly string[]): Promise<Map<string, number>> {
    if (owners.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("budget_windows")
      .select(["key_hash", "spend"])
      .where("key_hash", "in", owners)
      .where("window_start", "=", 0)
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

  /** The same for many windows; of each owner one, those in which nothing was spent left out. */
  async spendInWindows(windows: readonly ScopeWindow[]): Promise<Map<string, number>> {
    if (windows.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("budget_windows")
      .select(["key_hash", "window_start", "spend"])
      .where("key_hash", "in", [...new Set(windows.map(({ owner }) => owner))])
      .where("window_start", "in", [...new Set(windows.map(({ start }) => start))])
      .execute();
    const starts = new Map(windows.map(({ owner, start }) => [owner, start]));
    return new Map(
      rows
        .filter((row) => Number(row.window_start) === starts.get(row.key_hash))
        .map((row) => [row.key_hash, row.spend]),
    );
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
    for (const condition of filter.within ?? []) query = query.where(condition);
    return query.orderBy("started_at", "desc").orderBy("id", "desc").offset(offset).limit(limit).execute();
  }
}
