import { sql } from "kysely";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { KeyLimits } from "../../contract/principal.ts";
import { type Change, change } from "../../core/auth/records/change.ts";
import { budgetWindow } from "../../core/ledger/budget-window.ts";
import type { Store } from "../../platform/store/schema.ts";
import { sha256 } from "../../util/sha256.ts";
import type { ImportedRow } from "./imports-table.ts";
import type { TableReport } from "./report.ts";

/** Who changes things, in the audit log. */
const IMPORT = { by: "portico import", keyHash: "" };

/** Objects that one transaction takes. */
const AT_ONCE = 250;

/** What was written. */
export interface Written {
  /** Another one after each change. */
  readonly mark: string;
  /** Whose spend it is. */
  readonly owner?: SpendOwner | undefined;
}

/** Whose spend is counted, and by which budget. */
export interface SpendOwner {
  readonly name: string;
  /** Keys have sums of their own. */
  readonly isKey: boolean;
  readonly limits: KeyLimits;
}

/** One object of the source, as it is to be here. */
export interface Item {
  readonly id: string;
  /** What is written of it. */
  readonly body: JsonObject;
  /** What it spent in all, as far as the source counts it, in US dollars. */
  readonly spent: number;
  /** What of that counts in the budget window that is running. */
  readonly spentInWindow: number;
  /** Stands for what is here by this id; absent where there is nothing. */
  readonly here: string | undefined;
  /** Whose spend it is, of what is here. */
  readonly owner: SpendOwner | undefined;
  write(under: Change, isNew: boolean): Promise<Written>;
}

/** What a step of an import takes. */
export interface Kind {
  /** Names it in the store. */
  readonly name: string;
  readonly report: TableReport;
}

type Verdict = "create" | "update" | "unchanged" | { readonly leave: string };

/** Where an import writes. What it wrote it remembers, so that it may be run again. */
export class Target {
  readonly store: Store;
  readonly isDryRun: boolean;
  /** Which database it is. */
  readonly source: string;
  /** Whose midnights budgets begin at here. */
  readonly #timezone: string | undefined;
  /** Entries that were not taken, by kind and id: entries that depend on them are not taken either. */
  readonly #left = new Set<string>();
  /** Entries that are here, or would be after a run that writes. */
  readonly #planned = new Set<string>();

  constructor(store: Store, source: string, isDryRun: boolean, timezone: string | undefined) {
    this.store = store;
    this.source = source;
    this.isDryRun = isDryRun;
    this.#timezone = timezone;
  }

  /** Leaves a row out, and with it what depends on it. */
  leave({ name, report }: Kind, id: string, reason: string): void {
    this.#left.add(`${name} ${id}`);
    report.leave(id, reason);
  }

  /** Of what something names the first that was not taken: it would have less limits without that. */
  missing(named: Readonly<Record<string, string | undefined>>): string | undefined {
    const found = Object.entries(named).find(
      ([kind, id]) => id !== undefined && this.#left.has(`${kind} ${id}`),
    );
    return found && `its ${found[0]} ${found[1]} was not taken`;
  }

  /** Whether a dry run would have made it by now. */
  isPlanned(kind: string, id: string): boolean {
    return this.#planned.has(`${kind} ${id}`);
  }

  /** Takes over objects of one kind, some in each transaction, so that nobody else waits long. */
  async take(kind: Kind, items: readonly Item[]): Promise<void> {
    for (let at = 0; at < items.length; at += AT_ONCE)
      await this.#takeSome(kind, items.slice(at, at + AT_ONCE));
  }

  async #takeSome(kind: Kind, items: readonly Item[]): Promise<void> {
    if (this.isDryRun) {
      const records = await this.#records(this.store.db, kind, items);
      for (const item of items) {
        const verdict = verdictOf(item, records.get(item.id));
        this.#count(kind, item, verdict);
        if (verdict === "create") this.#planned.add(`${kind.name} ${item.id}`);
      }
      return;
    }
    await change(this.store, IMPORT, async (under) => {
      const records = await this.#records(under.db, kind, items);
      const spent: Spent[] = [];
      for (const item of items) {
        const record = records.get(item.id);
        const written = await this.#write(under, kind, item, record);
        if (written === undefined) continue;
        if (written.owner !== undefined) spent.push(...spentBy(written.owner, item, record, this.#timezone));
        await this.#remember(under.db, kind, item, written.mark, record);
      }
      await addSpent(under.db, spent);
    });
  }

  /** @returns nothing where the object stays as it is here */
  async #write(
    under: Change,
    kind: Kind,
    item: Item,
    record: ImportedRow | undefined,
  ): Promise<Written | undefined> {
    const verdict = verdictOf(item, record);
    if (typeof verdict === "object") {
      this.#count(kind, item, verdict);
      return undefined;
    }
    try {
      const written =
        verdict === "unchanged"
          ? { mark: record!.mark, owner: item.owner }
          : await item.write(under, verdict === "create");
      this.#count(kind, item, verdict);
      return written;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.leave(kind, item.id, error.message);
      return undefined;
    }
  }

  #count(kind: Kind, { id, here }: Item, verdict: Verdict): void {
    const { report } = kind;
    if (verdict === "create") report.taken += 1;
    else if (verdict === "update") report.updated += 1;
    else if (verdict === "unchanged") report.unchanged += 1;
    else if (here === undefined) this.leave(kind, id, verdict.leave);
    else report.leave(id, verdict.leave);
  }

  async #records(db: Store["db"], kind: Kind, items: readonly Item[]): Promise<Map<string, ImportedRow>> {
    const rows = await db
      .selectFrom("imported")
      .selectAll()
      .where("source", "=", this.source)
      .where("kind", "=", kind.name)
      .where(
        "id",
        "in",
        items.map(({ id }) => id),
      )
      .execute();
    return new Map(rows.map((row) => [row.id, row]));
  }

  async #remember(
    db: Store["db"],
    kind: Kind,
    item: Item,
    mark: string,
    before: ImportedRow | undefined,
  ): Promise<void> {
    const row: ImportedRow = {
      source: this.source,
      kind: kind.name,
      id: item.id,
      source_mark: markOf(item.body),
      mark,
      spend: item.spent,
    };
    if (before !== undefined && before.source_mark === row.source_mark && before.spend === row.spend) return;
    await db
      .insertInto("imported")
      .values(row)
      .onConflict((conflict) => conflict.columns(["source", "kind", "id"]).doUpdateSet(row))
      .execute();
  }
}

function verdictOf(item: Item, record: ImportedRow | undefined): Verdict {
  const { here, body } = item;
  if (record === undefined)
    return here === undefined ? "create" : { leave: "there is one by this name here, made here" };
  if (here === undefined) return { leave: "it was deleted here since it was taken" };
  if (record.source_mark === markOf(body)) return "unchanged";
  return record.mark === here ? "update" : { leave: "it was changed there and here; what is here stays" };
}

/** Stands for a value, whatever the order of its members. */
export function markOf(value: JsonObject): string {
  return sha256(JSON.stringify(sorted(value)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** An amount that counts in a sum. */
interface Spent {
  readonly name: string;
  /** Of a window; `undefined` for all that a key has spent. */
  readonly window: number | undefined;
  readonly amount: number;
}

/** What is new of an object's spend since the last import: what was spent here meanwhile stays. */
function spentBy(
  { name, isKey, limits }: SpendOwner,
  item: Item,
  record: ImportedRow | undefined,
  timezone: string | undefined,
): Spent[] {
  const before = record?.spend ?? 0;
  // A sum that became smaller began anew.
  const amount = item.spent >= before ? item.spent - before : item.spent;
  const inWindow = record === undefined ? item.spentInWindow : Math.min(amount, item.spentInWindow);
  const window = budgetWindow(limits, Date.now(), timezone);
  return [
    { name, window: isKey ? undefined : 0, amount },
    ...(window === undefined || window.start === 0 ? [] : [{ name, window: window.start, amount: inWindow }]),
  ].filter((each) => each.amount > 0);
}

/** In the order in which the writer of the spend log takes the same rows, so that neither waits for the other. */
async function addSpent(db: Store["db"], spent: readonly Spent[]): Promise<void> {
  const inOrder = [...spent].sort(
    (one, other) => compare(one.name, other.name) || (one.window ?? 0) - (other.window ?? 0),
  );
  const ofKeys = inOrder.filter(({ window }) => window === undefined);
  const ofWindows = inOrder.filter(({ window }) => window !== undefined);
  if (ofKeys.length > 0)
    await db
      .insertInto("key_spend")
      .values(ofKeys.map(({ name, amount }) => ({ key_hash: name, spend: amount })))
      .onConflict((conflict) =>
        conflict.column("key_hash").doUpdateSet({ spend: sql`key_spend.spend + excluded.spend` }),
      )
      .execute();
  if (ofWindows.length > 0)
    await db
      .insertInto("budget_windows")
      .values(
        ofWindows.map(({ name, window, amount }) => ({
          key_hash: name,
          window_start: window!,
          spend: amount,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["key_hash", "window_start"])
          .doUpdateSet({ spend: sql`budget_windows.spend + excluded.spend` }),
      )
      .execute();
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
