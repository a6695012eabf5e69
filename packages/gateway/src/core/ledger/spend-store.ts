import {
  type AliasedSelectQueryBuilder,
  type Expression,
  expressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { among } from "../../platform/store/among.ts";
import type { Schema, Store } from "../../platform/store/schema.ts";
import type { ScopeWindow } from "./budget-window.ts";
import { storable } from "./journal/journaled-row.ts";
import type { SpendRow } from "./spend-tables.ts";

/** Which rows of the log a page shows; times in milliseconds since the epoch, the end excluded. */
export interface SpendFilter {
  readonly keyHash?: string;
  readonly userId?: string;
  readonly teamId?: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly sessionId?: string;
  /** Words that must all stand somewhere in a row; looked for among the newest rows that all else leaves. */
  readonly search?: string;
  /** Those alone that name a session. */
  readonly hasSession?: boolean;
  readonly start?: number;
  readonly end?: number;
  /** Those alone that come behind this one, the newest first. */
  readonly behind?: Pick<SpendRow, "started_at" | "id"> | undefined;
  /** Conditions on rows of which any must hold too, each for one index. */
  readonly parts?: readonly Expression<SqlBool>[] | undefined;
}

/** A budget's account: whose, and in which window. */
export interface SpendAccount {
  readonly owner: string;
  /** Milliseconds since the epoch; `undefined` for what a key has spent in all. */
  readonly windowStart: number | undefined;
}

/** What a filter may name, and where rows have it. */
const namedColumns = [
  ["keyHash", "key_hash"],
  ["userId", "user_id"],
  ["teamId", "team_id"],
  ["model", "model"],
  ["requestId", "request_id"],
  ["sessionId", "session_id"],
] as const;

/** Rows of each part up to which looking them up one by one is less than reading all rows of all parts. */
const MOST_BY_PARTS = { sqlite: 20_000, postgres: 1100 } as const;

/** Rows that words are looked for in: no index has them, and a page answers in a moment all the same. */
const SEARCHED = 20_000;
const MOST_WORDS = 8;

/** The newest rows that a filter leaves. */
type Newest = AliasedSelectQueryBuilder<Pick<SpendRow, "id" | "started_at">, "found">;

/** What words are looked for in. */
const texts = sql<string>`lower(${sql.join(
  [
    "request_id",
    "key_hash",
    "user_id",
    "team_id",
    "organization_id",
    "end_user",
    "model",
    "model_id",
    "provider",
    "call_type",
    "status",
    "tags",
    "session_id",
    "details",
  ].map((column) => sql`coalesce(${sql.ref(column)}, '')`),
  sql` || ' ' || `,
)})`;

/** The spend log and the sums over it, for reading: rows come in through the ledger. */
export class SpendStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** What a key has spent in all, in US dollars. */
  spendOf(keyHash: string): Promise<number> {
    return this.spentIn({ owner: keyHash, windowStart: undefined });
  }

  /** What is spent in a budget, in US dollars. */
  async spentIn(account: SpendAccount): Promise<number> {
    const row = await this.#spendQuery(this.#store.db, account).executeTakeFirst();
    return row?.spend ?? 0;
  }

  async spendOfAll(keyHashes: readonly string[]): Promise<Map<string, number>> {
    if (keyHashes.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("key_spend")
      .selectAll()
      .where(among(this.#store, "key_hash", keyHashes))
      .execute();
    return new Map(rows.map((row) => [row.key_hash, row.spend]));
  }

  /** What was spent in all in scopes beside keys, by their owners; those that spent nothing are left out. */
  async spendOfScopes(owners: readonly string[]): Promise<Map<string, number>> {
    if (owners.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("budget_windows")
      .select(["key_hash", "spend"])
      .where(among(this.#store, "key_hash", owners))
      .where("window_start", "=", 0)
      .execute();
    return new Map(rows.map((row) => [row.key_hash, row.spend]));
  }

  /** What is spent in many windows; of each owner one, those in which nothing was spent left out. */
  async spendInWindows(windows: readonly ScopeWindow[]): Promise<Map<string, number>> {
    if (windows.length === 0) return new Map();
    const rows = await this.#store.db
      .selectFrom("budget_windows")
      .select(["key_hash", "window_start", "spend"])
      .where(among(this.#store, "key_hash", [...new Set(windows.map(({ owner }) => owner))]))
      .where("window_start", "in", [...new Set(windows.map(({ start }) => start))])
      .execute();
    const starts = new Map(windows.map(({ owner, start }) => [owner, start]));
    return new Map(
      rows
        .filter((row) => Number(row.window_start) === starts.get(row.key_hash))
        .map((row) => [row.key_hash, row.spend]),
    );
  }

  /** What is spent in a budget, which nobody lowers until the transaction ends. */
  async heldSpend(db: Store["db"], account: SpendAccount): Promise<number> {
    const row = await this.#spendQuery(db, account)
      .$if(this.#store.kind === "postgres", (query) => query.forShare())
      .executeTakeFirst();
    return row?.spend ?? 0;
  }

  #spendQuery(db: Store["db"], { owner, windowStart }: SpendAccount) {
    const table = windowStart === undefined ? "key_spend" : "budget_windows";
    return db
      .selectFrom(table)
      .select("spend")
      .where("key_hash", "=", owner)
      .$if(windowStart !== undefined, (query) => query.where("window_start", "=", windowStart!));
  }

  /** A page of the log, newest first. */
  async page(filter: SpendFilter, offset: number, limit: number): Promise<SpendRow[]> {
    if (filter.search !== undefined) return this.#found(filter.search, filter, offset, limit);
    const newest = this.#newest(filter, offset, limit);
    return newest === undefined ? [] : this.#rowsOf(newest).execute();
  }

  /** All rows of the log that a filter leaves, so many at a time, the newest first; those that words are looked for in come at once. */
  async *each(filter: SpendFilter, size: number, most: number): AsyncGenerator<SpendRow[]> {
    const atOnce = filter.search === undefined ? size : SEARCHED;
    let behind: SpendFilter["behind"];
    for (let told = 0; told < most; ) {
      const limit = Math.min(atOnce, most - told);
      const rows = await this.page({ ...filter, behind }, 0, limit);
      if (rows.length > 0) yield rows;
      if (rows.length < limit || filter.search !== undefined) return;
      told += rows.length;
      behind = rows.at(-1);
    }
  }

  #found(search: string, filter: SpendFilter, offset: number, limit: number): Promise<SpendRow[]> {
    const { db } = this.#store;
    const searched = this.#searched(filter);
    if (searched === undefined) return Promise.resolve([]);
    const words = search.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
    const pattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`;
    return db
      .selectFrom(searched.as("newest"))
      .selectAll()
      .where((eb) => eb.and(words.map((word) => sql<boolean>`${texts} like ${pattern(word)} escape '\\'`)))
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
  }

  /** The rows that words are looked for in. */
  #searched(filter: SpendFilter) {
    // SQLite would sort whole rows of all parts; PostgreSQL sorts them in less time than it looks that many up.
    if (this.#store.kind === "sqlite") {
      const newest = this.#newest(filter, 0, SEARCHED);
      return newest && this.#rowsOf(newest);
    }
    const { parts } = filter;
    const all = this.#store.db.selectFrom("spend_logs").selectAll();
    const seen = this.#filtered(parts === undefined ? all : all.where((eb) => eb.or(parts)), filter);
    return seen.orderBy("started_at", "desc").orderBy("id", "desc").limit(SEARCHED);
  }

  /** Which rows are the newest: ids in place of whole rows; none where there are no parts. */
  #newest(filter: SpendFilter, offset: number, limit: number): Newest | undefined {
    const { kind, db } = this.#store;
    const newest = (part: Expression<SqlBool> | undefined) => {
      const found = db.selectFrom("spend_logs").select(["id", "started_at"]);
      const rows = this.#filtered(part === undefined ? found : found.where(part), filter);
      return rows.orderBy("started_at", "desc").orderBy("id", "desc");
    };
    const { parts } = filter;
    // Whoever names a model or the like has its index; of the parts each would be walked until a page is full.
    const isNamed = namedColumns.some(([name]) => filter[name] !== undefined);
    const isWhole = isNamed || offset + limit > MOST_BY_PARTS[kind];
    const whole = parts && expressionBuilder<Schema, "spend_logs">().or(parts);
    const [first, ...others] = (parts === undefined || isWhole ? [whole] : parts).map(newest);
    if (first === undefined) return undefined;
    if (others.length === 0) return first.offset(offset).limit(limit).as("found");
    const part = (query: typeof first) =>
      db.selectFrom(query.limit(offset + limit).as("part")).select(["id", "started_at"]);
    return db
      .selectFrom(others.reduce((all, each) => all.union(part(each)), part(first)).as("parts"))
      .select(["id", "started_at"])
      .orderBy("started_at", "desc")
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .as("found");
  }

  /** SQLite does not know how few are found, and joins in this order only where it is told to. */
  #rowsOf(found: Newest) {
    return this.#store.db
      .selectFrom(found)
      .crossJoin("spend_logs")
      .selectAll("spend_logs")
      .whereRef("found.id", "=", "spend_logs.id")
      .orderBy("spend_logs.started_at", "desc")
      .orderBy("spend_logs.id", "desc");
  }

  #filtered<O>(query: SelectQueryBuilder<Schema, "spend_logs", O>, filter: SpendFilter) {
    let filtered = query;
    for (const [name, column] of namedColumns) {
      const wanted = filter[name];
      if (wanted !== undefined) filtered = filtered.where(column, "=", storable(wanted));
    }
    if (filter.hasSession === true) filtered = filtered.where("session_id", "is not", null);
    if (filter.start !== undefined) filtered = filtered.where("started_at", ">=", filter.start);
    if (filter.end !== undefined) filtered = filtered.where("started_at", "<", filter.end);
    const { behind } = filter;
    if (behind !== undefined)
      filtered = filtered
        .where("started_at", "<=", behind.started_at)
        .where(({ or, eb }) =>
          or([eb("started_at", "<", behind.started_at), eb("spend_logs.id", "<", behind.id)]),
        );
    return filtered;
  }
}
