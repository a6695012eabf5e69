import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { addToSums, endBlocks } from "../../../platform/store/spend-sums-sql.ts";
import { piecesOf } from "../../../util/pieces.ts";
import { spendColumns } from "../spend-tables.ts";
import { AlikeRows, alikeColumns } from "./alike-rows.ts";
import { ShortTurns } from "./considerate.ts";
import { NoSpendRow, placeOf, type RowValues, valueAt, valuesOfText } from "./journaled-row.ts";
import type { SpendSink } from "./spend-sink.ts";

/** Milliseconds to wait for other connections' transactions; only this thread stands still meanwhile. */
const MAX_WAIT = 5000;

/** SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH. */
const REFUSALS: ReadonlySet<number> = new Set([18, 19, 20]);

/** Rows of one statement, which so looks the table and its indexes up once; with more of them it would take longer than a turn where keys are many. */
const ROWS_AT_ONCE = 10;

/** Kilobytes of pages kept in memory: each key has pages of its own in the indexes, and a thousand keys more than SQLite's 2 MB. */
const CACHE_KB = 8000;

/** Rows in the embedded store. */
export class SqliteSink implements SpendSink {
  readonly #database: DatabaseSync;
  readonly #addRow: StatementSync;
  readonly #addRows: StatementSync;
  readonly #newIds: StatementSync;
  readonly #clearAlike: StatementSync;
  readonly #addAlike: StatementSync;
  readonly #addSpend: StatementSync;
  readonly #addWindow: StatementSync;
  readonly #renewed: StatementSync;
  readonly #addToSums: readonly StatementSync[];
  readonly #turns = new ShortTurns();

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`pragma busy_timeout = ${MAX_WAIT}`);
    this.#database.exec("pragma synchronous = full");
    this.#database.exec(`pragma cache_size = -${CACHE_KB}`);
    this.#database.exec("pragma temp_store = memory");
    this.#addRow = this.#database.prepare(insertOf(1));
    this.#addRows = this.#database.prepare(insertOf(ROWS_AT_ONCE));
    // SQLite numbers new rows one after the other.
    this.#newIds = this.#database.prepare("select id from spend_logs where rowid > ? and rowid <= ?");
    this.#database.exec(
      `create temp table alike as select ${alikeColumns.join(", ")}, 0 as calls from spend_logs where false`,
    );
    this.#clearAlike = this.#database.prepare("delete from alike");
    const places = [...alikeColumns, "calls"].map(() => "?").join(", ");
    this.#addAlike = this.#database.prepare(`insert into alike values (${places})`);
    this.#addSpend = this.#database.prepare(
      "insert into key_spend (key_hash, spend) values (?, ?) on conflict (key_hash) do update set spend = key_spend.spend + excluded.spend",
    );
    this.#addWindow = this.#database.prepare(
      "insert into budget_windows (key_hash, window_start, spend) values (?, ?, ?) on conflict (key_hash, window_start) do update set spend = budget_windows.spend + excluded.spend",
    );
    this.#renewed = this.#database.prepare("select key_hash from renewed_keys where old_hash = ?");
    this.#addToSums = [...addToSums(false, "alike", "entry.calls"), endBlocks("alike")].map((statement) =>
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
    const alike = new AlikeRows();
    for (const some of piecesOf(texts, ROWS_AT_ONCE)) {
      this.#turns.restIfDue();
      const rows = some.map((text) => this.#followed(valuesOfText(text), renewed));
      for (const values of this.#addToLog(rows)) {
        alike.add(values);
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
    }
    for (const [key, spend] of keys) this.#addSpend.run(key, spend);
    for (const { key, start, spend } of windows.values()) this.#addWindow.run(key, start, spend);
    this.#addSums(alike);
  }

  /** @returns those of the rows that were not there yet */
  #addToLog(rows: readonly RowValues[]): readonly RowValues[] {
    if (rows.length !== ROWS_AT_ONCE)
      return rows.filter((row) => this.#addRow.run(...placed([row])).changes !== 0);
    const { changes, lastInsertRowid } = this.#addRows.run(...placed(rows));
    if (changes === rows.length) return rows;
    const before = Number(lastInsertRowid) - Number(changes);
    const found = changes === 0 ? [] : this.#newIds.all(before, lastInsertRowid);
    const added = new Set(found.map(({ id }) => id));
    return rows.filter((row) => added.delete(row[valueAt.id]!));
  }

  #addSums(alike: AlikeRows): void {
    this.#clearAlike.run();
    for (const entry of alike.entries()) {
      this.#turns.restIfDue();
      this.#addAlike.run(...entry);
    }
    for (const add of this.#addToSums) {
      this.#turns.restIfDue();
      add.run();
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

/** Adds rows that are not there yet. A refusal leaves those before it, as the transaction goes anyway: else each page is copied first. */
function insertOf(rows: number): string {
  const places = `(${spendColumns.map(() => "?").join(", ")})`;
  return `insert or fail into spend_logs (${spendColumns.join(", ")})
    values ${Array.from({ length: rows }, () => places).join(", ")} on conflict (id) do nothing`;
}

const columnPlaces = spendColumns.map((_, column) => placeOf(column));

/** The values of rows in the order of the log's columns, one row after the other. */
function placed(rows: readonly RowValues[]): SQLInputValue[] {
  const values: SQLInputValue[] = [];
  for (const row of rows) for (const at of columnPlaces) values.push(row[at] ?? null);
  return values;
}
