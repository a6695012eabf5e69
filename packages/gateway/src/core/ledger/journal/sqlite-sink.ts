import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { addToSums, endBlocks } from "../../../platform/store/spend-sums-sql.ts";
import { spendColumns } from "../spend-tables.ts";
import { ShortTurns } from "./considerate.ts";
import { NoSpendRow, placeOf, type RowValues, valueAt, valuesOfText } from "./journaled-row.ts";
import type { SpendSink } from "./spend-sink.ts";

/** Milliseconds to wait for other connections' transactions; only this thread stands still meanwhile. */
const MAX_WAIT = 5000;

/** SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH. */
const REFUSALS: ReadonlySet<number> = new Set([18, 19, 20]);

/** The rows of this transaction: SQLite numbers new ones one after the other. */
const NEW_ROWS = "(select * from spend_logs where rowid between :first and :last)";

/** Rows in the embedded store. */
export class SqliteSink implements SpendSink {
  readonly #database: DatabaseSync;
  readonly #addRow: StatementSync;
  readonly #addSpend: StatementSync;
  readonly #addWindow: StatementSync;
  readonly #renewed: StatementSync;
  readonly #addToSums: readonly StatementSync[];
  readonly #turns = new ShortTurns();

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`pragma busy_timeout = ${MAX_WAIT}`);
    this.#database.exec("pragma synchronous = full");
    const columns = spendColumns.join(", ");
    const places = spendColumns.map(() => "?").join(", ");
    this.#addRow = this.#database.prepare(
      `insert into spend_logs (${columns}) values (${places}) on conflict (id) do nothing`,
    );
    this.#addSpend = this.#database.prepare(
      "insert into key_spend (key_hash, spend) values (?, ?) on conflict (key_hash) do update set spend = key_spend.spend + excluded.spend",
    );
    this.#addWindow = this.#database.prepare(
      "insert into budget_windows (key_hash, window_start, spend) values (?, ?, ?) on conflict (key_hash, window_start) do update set spend = budget_windows.spend + excluded.spend",
    );
    this.#renewed = this.#database.prepare("select key_hash from renewed_keys where old_hash = ?");
    this.#addToSums = [...addToSums(false, NEW_ROWS), endBlocks(NEW_ROWS)].map((statement) =>
      this.#database.prepare(statement),
    );
  }

  async write(texts: readonly string[]): Promise<void> {
    this.#turns.begin();
    this.#database.exec("begin immediate");
    try {
      this.#add(texts);
      this.#database.exec("commit");
    } catch (error) {
      // Some failures, such as a full disk, have ended the transaction already.
      if (this.#database.isTransaction) this.#database.exec("rollback");
      throw error;
    }
  }

  isRefusal(error: unknown): boolean {
    return error instanceof NoSpendRow || REFUSALS.has(((error as { errcode?: number }).errcode ?? 0) % 256);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #add(texts: readonly string[]): void {
    const renewed = new Map<string, string>();
    const keys = new Map<string, number>();
    const windows = new Map<string, { key: string; start: number; spend: number }>();
    let first: number | bigint | undefined;
    let last: number | bigint = 0;
    for (const text of texts) {
      this.#turns.restIfDue();
      const values = this.#followed(valuesOfText(text), renewed);
      const added = this.#addRow.run(
        ...spendColumns.map((_, at) => (values[placeOf(at)] ?? null) as SQLInputValue),
      );
      if (added.changes === 0) continue;
      last = added.lastInsertRowid;
      first ??= last;
      const spend = Number(values[valueAt.spend]);
      if (spend === 0) continue;
      const key = String(values[valueAt.keyHash]);
      keys.set(key, (keys.get(key) ?? 0) + spend);
      const start = values[valueAt.windowStart];
      const scopes = JSON.parse(String(values[valueAt.scopes] ?? "[]")) as [string, number][];
      const counted: (readonly [string, number])[] =
        start === null ? scopes : [[key, Number(start)], ...scopes];
      for (const [owner, from] of counted) {
        const name = `${owner} ${from}`;
        const known = windows.get(name);
        if (known === undefined) windows.set(name, { key: owner, start: from, spend });
        else known.spend += spend;
      }
    }
    for (const [key, spend] of keys) this.#addSpend.run(key, spend);
    for (const { key, start, spend } of windows.values()) this.#addWindow.run(key, start, spend);
    if (first === undefined) return;
    for (const add of this.#addToSums) {
      this.#turns.restIfDue();
      add.run({ first, last });
    }
  }

  /** A row under the hash that its key has now: calls were under way when it was renewed. @param known by hash, of this batch */
  #followed(values: RowValues, known: Map<string, string>): RowValues {
    const key = String(values[valueAt.keyHash]);
    let now = known.get(key);
    if (now === undefined) {
      now = String((this.#renewed.get(key) as { key_hash: string } | undefined)?.key_hash ?? key);
      known.set(key, now);
    }
    if (now === key) return values;
    const followed = [...values];
    followed[valueAt.keyHash] = now;
    const scopes = followed[valueAt.scopes];
    // Limits for some models have the key's hash in their owner's name; see `modelOwner`.
    if (typeof scopes === "string")
      followed[valueAt.scopes] = scopes.replaceAll(`"model ${key} `, `"model ${now} `);
    return followed;
  }
}
