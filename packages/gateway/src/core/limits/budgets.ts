import type { Store } from "../../platform/store/schema.ts";
import type { LoweredSpend } from "../ledger/lowered-spend.ts";
import type { Rollover } from "../ledger/rollover.ts";

/** A share of one budget. */
export interface BudgetShare {
  /** Whose: a key's hash. */
  readonly owner: string;
  /** US dollars. */
  readonly amount: number;
  /** Milliseconds since the epoch at which the budget's window begins and ends; absent for one that holds for good. */
  readonly windowStart: number | undefined;
  readonly windowEnd: number | undefined;
}

/** The share that a call asks for: what it costs at most. */
export interface BudgetClaim extends BudgetShare {
  /** The owner as refusals name it. */
  readonly name: string;
  /** Refusals say nothing of its figures. */
  readonly isOperators?: true | undefined;
  /** US dollars that the budget has without what rolls over. */
  readonly limit: number;
  readonly rollover?: Rollover | undefined;
}

/**
 * All shares were taken, or none: because of the one at `refused`, or because a window has ended from which something
 * rolls over to the next, where these shares belong. Amounts are US dollars.
 */
export type BudgetAnswer =
  | { readonly taken: true }
  | {
      readonly taken: false;
      /** Milliseconds since the epoch by the clock of whoever counts. */
      readonly endedBy: number;
    }
  | {
      readonly taken: false;
      readonly refused: number;
      /** What the budget has with what rolls over. */
      readonly limit: number;
      /** What calls have cost that are over, and what those hold that run. */
      readonly spent: number;
      readonly held: number;
    };

/** The row of the spend log with which something ends that was begun. */
export interface SpentAs {
  readonly requestId: string;
  readonly callType: string;
}

/** The place that counts budgets does not answer at the moment. */
export class BudgetsAway extends Error {}

/**
 * Where budgets are counted: always in one place, which is the database where replicas share one, else this process. A
 * share that is larger than what is left is still given to a call that has the budget for itself, so that the whole
 * budget can be spent: it is then passed by at most that one call.
 */
export interface Budgets {
  /** Counts what was held before this process began. */
  open(): Promise<void>;
  /**
   * Takes a share of every budget or of none.
   * @param id names the call until it is finished; the row of the spend log that says what it cost has the same id
   * @param mustFit refuses what is more than what is left, also where nobody else holds anything
   * @throws BudgetsAway
   */
  claim(id: string, claims: readonly BudgetClaim[], mustFit: boolean): Promise<BudgetAnswer>;
  /** Ends a call: replaces its shares by its cost, or gives them back when there was none (`undefined`). */
  finish(id: string, cost: number | undefined): void;
  /** Counts what a call has cost for those that it held nothing of, whose spend is counted in all. */
  charge(owners: readonly string[], cost: number): void;
  /** Holds a call's shares until the spend log has the row of what it began, whatever becomes of this process. */
  keep(id: string, as: SpentAs, within?: Store["db"]): Promise<void>;
  /** Of whose budgets shares are kept until a row of the spend log comes. */
  keptOf(as: SpentAs): Promise<ReadonlySet<string>>;
  /** Gives back what was kept for something of which no row will come; within a transaction at most seconds later. */
  forget(as: SpentAs, within?: Store["db"]): Promise<void>;
  /** Has what was kept until one row comes end with another one. */
  pass(from: SpentAs, to: SpentAs, within?: Store["db"]): Promise<void>;
  /**
   * Has the counters know that the store says less is spent than they count.
   * @param work lowers it in the store, and says what by how much
   */
  lowering<T extends { readonly lowered: readonly LoweredSpend[] }>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Names a budget's window. */
export function windowName({ windowStart }: Pick<BudgetShare, "windowStart">): string {
  return windowStart === undefined ? "all" : String(windowStart);
}
