import type { KeyLimits } from "../../contract/principal.ts";
import { among } from "../../platform/store/among.ts";
import type { Store } from "../../platform/store/schema.ts";
import { type BudgetWindow, type Timezone, windowBefore } from "./budget-window.ts";

/** Since when a budget rolls over, as it was last seen: what happens within a window holds from the next one on. */
interface BudgetTermsRow {
  owner: string;
  /** The length of its windows and their time zone. */
  windows: string;
  /** US dollars. */
  budget: number;
  /** US dollars that windows had which began until `before_until`, in milliseconds since the epoch. */
  budget_before: number;
  before_until: number;
}

declare module "../../platform/store/schema.ts" {
  interface Schema {
    budget_terms: BudgetTermsRow;
  }
}

/** What rolls over from the window before. */
export interface Rollover {
  /** Milliseconds since the epoch at which that window began. */
  readonly from: number;
  /** US dollars that the budget had in it. */
  readonly budget: number;
  /** US dollars that roll over at most. */
  readonly most: number;
}

/** A budget that may roll over, and the window that it would roll over to. */
export interface RollingBudget {
  readonly owner: string;
  readonly limits: KeyLimits;
  readonly window: BudgetWindow | undefined;
}

/** Budgets whose terms a process remembers. */
const MAX_REMEMBERED = 20_000;

/**
 * US dollars that a window has more.
 * @param used US dollars of the window before that are spent, or held by calls that still run
 */
export function rolledOver({ budget, most }: Rollover, used: number): number {
  return Math.min(most, Math.max(0, budget - used));
}

/**
 * What budgets had in their last windows. Nothing rolls over from a window in which a budget did not roll over yet, or had
 * windows of another length; of one whose amount was changed the smaller one does. Calls find out: whatever has given the
 * budget (the key, its team, a budget that it names, the configuration) need not tell.
 */
export class Rollovers {
  readonly #store: Store | undefined;
  readonly #timezone: Timezone;
  /** Other replicas may see other terms: each window is begun with what the store has. */
  readonly #remembered = new Map<string, { readonly noted: BudgetTermsRow; readonly since: number }>();

  /** @param store absent where nothing outlives the process */
  constructor(store: Store | undefined, timezone: Timezone) {
    this.#store = store;
    this.#timezone = timezone;
  }

  /** What rolls over to a budget's window; notes the terms of a budget that calls count in. */
  async to(budget: RollingBudget): Promise<Rollover | undefined> {
    const terms = this.#termsOf(budget);
    if (terms === undefined) return undefined;
    const { from, most, row, start } = terms;
    const before = this.#remembered.get(row.owner);
    if (before !== undefined && before.since >= start && isSame(before.noted, row))
      return { from, most, budget: budgetIn(before.noted, start) };
    const noted = await this.#note(row, start, before?.noted);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(row.owner, { noted, since: start });
    return { from, most, budget: budgetIn(noted, start) };
  }

  /** US dollars that a budget's window has more, by what the store says is spent and held; for reports. */
  async amount(budget: RollingBudget): Promise<number> {
    return (await this.amounts([budget]))[0]!;
  }

  /** The same of many, in their order: lists have thousands, and each statement takes its time. */
  async amounts(budgets: readonly RollingBudget[]): Promise<number[]> {
    const all = budgets.map((budget) => this.#termsOf(budget));
    const terms = all.filter((each) => each !== undefined);
    if (terms.length === 0 || this.#store === undefined) return all.map(() => 0);
    const owners = [...new Set(terms.map(({ row }) => row.owner))];
    const notes = await this.#noted(owners);
    const rolling = terms.filter(({ row }) => notes.get(row.owner)?.windows === row.windows);
    const used = await this.#used(
      rolling.map(({ row }) => row.owner),
      rolling.map(({ from }) => from),
    );
    return all.map((each) => {
      const noted = each && notes.get(each.row.owner);
      if (each === undefined || noted?.windows !== each.row.windows) return 0;
      const { from, most, row, start } = each;
      const budget = Math.min(row.budget, budgetIn(noted, start));
      return rolledOver({ from, most, budget }, used.get(`${from} ${row.owner}`) ?? 0);
    });
  }

  /** US dollars that are spent or held in windows, by when these began and whose they are. */
  async #used(owners: readonly string[], starts: readonly number[]): Promise<ReadonlyMap<string, number>> {
    const used = new Map<string, number>();
    if (this.#store === undefined || owners.length === 0) return used;
    const { db } = this.#store;
    const windows = [...new Set(starts)];
    const [spent, held] = await Promise.all([
      db
        .selectFrom("budget_windows")
        .select(["key_hash as owner", "window_start as window", "spend as amount"])
        .where(among(this.#store, "key_hash", owners))
        .where("window_start", "in", windows)
        .execute(),
      db
        .selectFrom("budget_holds")
        .select((query) => ["owner", "budget_window as window", query.fn.sum<number>("amount").as("amount")])
        .where(among(this.#store, "owner", owners))
        .where("budget_window", "in", windows.map(String))
        .where("alive_until", ">", Date.now())
        .groupBy(["owner", "budget_window"])
        .execute(),
    ]);
    for (const { owner, window, amount } of [...spent, ...held]) {
      const name = `${window} ${owner}`;
      used.set(name, (used.get(name) ?? 0) + amount);
    }
    return used;
  }

  #termsOf({ owner, limits, window }: RollingBudget) {
    const { maxBudget, maxRollover: most, budgetDuration } = limits;
    if (maxBudget === undefined || most === undefined || most === 0 || window === undefined) return undefined;
    const timezone = this.#timezone();
    const before = windowBefore(limits, window, timezone);
    if (before === undefined) return undefined;
    const windows = `${budgetDuration} ${timezone ?? ""}`;
    const row = { owner, windows, budget: maxBudget, budget_before: 0, before_until: Date.now() };
    return { from: before.start, most, row, start: window.start };
  }

  async #noted(owners: readonly string[]): Promise<ReadonlyMap<string, BudgetTermsRow>> {
    if (this.#store === undefined) return new Map();
    const query = this.#store.db.selectFrom("budget_terms").selectAll();
    const rows = await query.where(among(this.#store, "owner", owners)).execute();
    return new Map(rows.map((row) => [row.owner, { ...row, before_until: Number(row.before_until) }]));
  }

  async #note(row: BudgetTermsRow, start: number, before: BudgetTermsRow | undefined) {
    if (this.#store === undefined) return before === undefined ? row : changed(before, row, start);
    const { db, kind } = this.#store;
    const known = (await this.#noted([row.owner])).get(row.owner);
    if (known !== undefined && isSame(known, row)) return known;
    return db.transaction().execute(async (within) => {
      await within
        .insertInto("budget_terms")
        .values(row)
        .onConflict((conflict) => conflict.column("owner").doNothing())
        .execute();
      const stored = await within
        .selectFrom("budget_terms")
        .selectAll()
        .where("owner", "=", row.owner)
        .$if(kind === "postgres", (query) => query.forUpdate())
        .executeTakeFirstOrThrow();
      const noted = changed({ ...stored, before_until: Number(stored.before_until) }, row, start);
      if (!isSame(noted, stored))
        await within.updateTable("budget_terms").set(noted).where("owner", "=", row.owner).execute();
      return noted;
    });
  }
}

function isSame(one: BudgetTermsRow, other: BudgetTermsRow): boolean {
  return one.windows === other.windows && one.budget === other.budget;
}

/** The terms after somebody saw others. @param start of the window in which that is */
function changed(stored: BudgetTermsRow, seen: BudgetTermsRow, start: number): BudgetTermsRow {
  if (stored.windows !== seen.windows) return seen;
  if (stored.budget === seen.budget) return stored;
  return { ...seen, budget_before: Math.min(budgetIn(stored, start), seen.budget) };
}

/** US dollars that the window had before the one that begins at `start`. */
function budgetIn({ budget, budget_before, before_until }: BudgetTermsRow, start: number): number {
  return before_until >= start ? budget_before : budget;
}

/** What was noted of an owner goes to its new name; what was noted of one that had the name before is forgotten. */
export async function moveTerms(db: Store["db"], from: string, to: string): Promise<void> {
  await db.deleteFrom("budget_terms").where("owner", "=", to).execute();
  await db.updateTable("budget_terms").set({ owner: to }).where("owner", "=", from).execute();
}
