import type { Store } from "../../platform/store/schema.ts";
import { piecesOf } from "../../util/pieces.ts";
import { type BudgetShare, type SpentAs, windowName } from "./budgets.ts";
import { HOLD_LEASE } from "./counters.ts";

/** A share of a budget in the store. Times are milliseconds since the epoch, amounts US dollars. */
interface BudgetHoldRow {
  id: string;
  /** Whose budget; with the id it names the row. */
  owner: string;
  /** The window's name; `window_start` is null for a budget without windows. */
  budget_window: string;
  window_start: number | null;
  window_end: number | null;
  amount: number;
  /** 1 for a call that is over: `amount` is its cost, until the spend log has its row. */
  is_settled: number;
  /** The row of the spend log that ends the hold; null for the share of a call that this or that process makes. */
  request_id: string | null;
  call_type: string | null;
  /** Until then it counts, whatever becomes of its process. */
  alive_until: number;
}

declare module "../../platform/store/schema.ts" {
  interface Schema {
    budget_holds: BudgetHoldRow;
  }
}

/** Shares as they are found again. */
export interface FoundHold {
  readonly id: string;
  readonly shares: readonly BudgetShare[];
}

/** Milliseconds after which what was begun counts as lost. */
export const MAX_HOLD = 48 * 3_600_000;

/** Holds in one insert. */
const ROWS_PER_INSERT = 500;

/** Shares of budgets that every process sees and that survive them all. */
export class HoldStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  /** Holds a call's shares until the spend log has the row of what they are for. */
  async keep(
    id: string,
    shares: readonly BudgetShare[],
    { requestId, callType }: SpentAs,
    within = this.#db,
  ): Promise<void> {
    const rows = rowsOf(id, shares);
    if (rows.length === 0) return;
    const until = { request_id: requestId, call_type: callType, alive_until: Date.now() + MAX_HOLD };
    await within
      .insertInto("budget_holds")
      .values(rows.map((row) => ({ ...row, ...until })))
      .onConflict((conflict) => conflict.columns(["id", "owner"]).doUpdateSet(until))
      .execute();
  }

  /** Notes the shares of calls of this process that run, where the store has forgotten them. */
  async show(calls: ReadonlyMap<string, readonly BudgetShare[]>): Promise<void> {
    const alive_until = Date.now() + HOLD_LEASE;
    const rows = [...calls].flatMap(([id, shares]) => rowsOf(id, shares));
    for (const some of piecesOf(rows, ROWS_PER_INSERT))
      await this.#db
        .insertInto("budget_holds")
        .values(some.map((row) => ({ ...row, alive_until })))
        .onConflict((conflict) => conflict.columns(["id", "owner"]).doNothing())
        .execute();
  }

  /** @returns whether there was one */
  async forget({ requestId, callType }: SpentAs, within = this.#db): Promise<boolean> {
    const result = await within
      .deleteFrom("budget_holds")
      .where("request_id", "=", requestId)
      .where("call_type", "=", callType)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** Of whose budgets shares are held until a row comes. */
  async ownersOf({ requestId, callType }: SpentAs): Promise<ReadonlySet<string>> {
    const rows = await this.#db
      .selectFrom("budget_holds")
      .select("owner")
      .where("request_id", "=", requestId)
      .where("call_type", "=", callType)
      .execute();
    return new Set(rows.map(({ owner }) => owner));
  }

  /** What is held until one row comes is held until another one does. */
  async pass(from: SpentAs, to: SpentAs, within = this.#db): Promise<void> {
    await within
      .updateTable("budget_holds")
      .set({ request_id: to.requestId, call_type: to.callType })
      .where("request_id", "=", from.requestId)
      .where("call_type", "=", from.callType)
      .execute();
  }

  /** Ends the holds whose row is there, and those that lapsed. @returns what is kept until its row comes, by id */
  async unspent(): Promise<Map<string, FoundHold>> {
    const now = Date.now();
    await this.#db
      .deleteFrom("budget_holds")
      .where("request_id", "is", null)
      .where("alive_until", "<", now - HOLD_LEASE)
      .execute();
    const rows = await this.#db
      .selectFrom("budget_holds")
      .selectAll()
      .where("request_id", "is not", null)
      .execute();
    if (rows.length === 0) return new Map();
    const ids = rows.map((row) => row.request_id!);
    const spent = await this.#db
      .selectFrom("spend_logs")
      .select(["request_id", "call_type"])
      .where("request_id", "in", ids)
      .execute();
    const ended = new Set(spent.map((row) => `${row.call_type} ${row.request_id}`));
    const isOver = (row: BudgetHoldRow): boolean =>
      row.alive_until <= now || ended.has(`${row.call_type} ${row.request_id}`);
    const over = rows.filter(isOver).map(({ id }) => id);
    if (over.length > 0) await this.#db.deleteFrom("budget_holds").where("id", "in", over).execute();
    const groups = Map.groupBy(
      rows.filter((row) => !isOver(row)),
      ({ id }) => id,
    );
    return new Map([...groups].map(([id, group]) => [id, { id, shares: group.map(shareOf) }]));
  }
}

/** What costs nothing holds nothing. */
function rowsOf(id: string, shares: readonly BudgetShare[]) {
  return shares
    .filter(({ amount }) => amount > 0)
    .map((share) => ({
      id,
      owner: share.owner,
      budget_window: windowName(share),
      window_start: share.windowStart ?? null,
      window_end: share.windowEnd ?? null,
      amount: share.amount,
      is_settled: 0,
      request_id: null,
      call_type: null,
    }));
}

function shareOf(row: BudgetHoldRow): BudgetShare {
  return {
    owner: row.owner,
    amount: row.amount,
    windowStart: row.window_start ?? undefined,
    windowEnd: row.window_end ?? undefined,
  };
}
