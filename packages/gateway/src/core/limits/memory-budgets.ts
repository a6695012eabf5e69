import type { Logger } from "../../platform/log/logger.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { LoweredSpend } from "../ledger/lowered-spend.ts";
import { rolledOver } from "../ledger/rollover.ts";
import {
  type BudgetAnswer,
  type BudgetClaim,
  type BudgetShare,
  type Budgets,
  type SpentAs,
  windowName,
} from "./budgets.ts";
import type { HoldStore } from "./hold-store.ts";
import { JobHolds } from "./job-holds.ts";

/** What an owner has spent already: in the budget window that began at `windowStart`, or in all. */
export type SpentBefore = (owner: string, windowStart: number | undefined) => Promise<number>;

/** A budget in one of its windows. */
interface Counter {
  spent: number;
  reserved: number;
  /** Calls that reserved something. */
  holders: number;
  /** Calls that have it, those that reserved nothing included, and claims that are being looked at. */
  users: number;
  /** Until when it is needed; for good where absent. */
  windowEnd: number | undefined;
  /** When somebody last had it, in milliseconds since the epoch. */
  usedAt: number;
  /** How many counters there were when it began to count. */
  readonly begun: number;
}

/** Windows remembered before those that have ended are swept out; then as many again as were left have to come. */
const SWEEP_ABOVE = 10_000;

/**
 * Milliseconds after which a budget that nobody uses is swept out too, where the store says again what was spent: whoever
 * calls may name a customer that nobody ever named, as often as it likes. By then the store has every row.
 */
const IDLE_AFTER = 600_000;

/** Budgets of a single process: exact, because nothing happens between looking and taking. */
export class MemoryBudgets implements Budgets {
  readonly #spentBefore: SpentBefore;
  readonly #counters = new Map<string, Counter>();
  readonly #held = new Map<string, readonly BudgetShare[]>();
  readonly #jobs: JobHolds | undefined;
  readonly #hasStore: boolean;
  #sweepAbove = SWEEP_ABOVE;
  /** How many counters have begun, and how often some were lowered. */
  #begun = 0;
  #lowerings = 0;

  /** @param holds absent without a store */
  constructor(spentBefore: SpentBefore, holds: HoldStore | undefined, logger: Logger) {
    this.#spentBefore = spentBefore;
    this.#hasStore = holds !== undefined;
    this.#jobs = holds && new JobHolds(holds, this, logger);
  }

  async open(): Promise<void> {
    await this.#jobs?.open();
  }

  async claim(id: string, claims: readonly BudgetClaim[], mustFit: boolean): Promise<BudgetAnswer> {
    const counted = claims.flatMap((claim) => [claim, ...before(claim)]);
    return await this.#counting(counted, () => {
      const now = Date.now();
      if (claims.some(({ rollover, windowEnd = now }) => rollover !== undefined && windowEnd <= now))
        return { taken: false, endedBy: now };
      const refused = claims.findIndex((claim) => !this.#fits(claim, mustFit));
      if (refused >= 0) {
        const claim = claims[refused]!;
        const { spent, reserved } = this.#counters.get(nameOf(claim))!;
        return { taken: false, refused, limit: this.#limitOf(claim), spent, held: reserved };
      }
      this.#take(id, claims);
      return { taken: true };
    });
  }

  finish(id: string, cost: number | undefined): void {
    const shares = this.#held.get(id) ?? [];
    this.#held.delete(id);
    for (const share of shares) {
      const counter = this.#counters.get(nameOf(share))!;
      counter.users -= 1;
      counter.usedAt = Date.now();
      counter.holders -= share.amount > 0 ? 1 : 0;
      // Sums of fractions do not come out at zero by themselves.
      counter.reserved = counter.holders === 0 ? 0 : Math.max(0, counter.reserved - share.amount);
      counter.spent += cost ?? 0;
    }
  }

  charge(owners: readonly string[], cost: number): void {
    for (const owner of owners) {
      // What nobody has counted yet begins with what the spend log has.
      const counter = this.#counters.get(nameOf({ owner, windowStart: 0 }));
      if (counter !== undefined) counter.spent += cost;
    }
  }

  /** Takes shares whatever is left: of something that was begun before this process. */
  async adopt(id: string, shares: readonly BudgetShare[]): Promise<void> {
    await this.#counting(shares, () => {
      if (!this.#held.has(id)) this.#take(id, shares);
    });
  }

  async keep(id: string, as: SpentAs, within?: Store["db"]): Promise<void> {
    const shares = this.#held.get(id);
    if (shares !== undefined) await this.#jobs?.keep(id, shares, as, within);
  }

  async keptOf(as: SpentAs): Promise<ReadonlySet<string>> {
    return (await this.#jobs?.ownersOf(as)) ?? new Set();
  }

  /** A worker has kept the shares of a call in the store. */
  noteKept(id: string): void {
    if (this.#held.has(id)) this.#jobs?.note(id);
  }

  /** Whether a call's shares are held for what it has begun. */
  isKept(id: string): boolean {
    return this.#jobs?.has(id) === true;
  }

  /** Counts what is kept in the store now. */
  async lookAtKept(): Promise<void> {
    await this.#jobs?.look();
  }

  async forget(as: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#jobs?.forget(as, within);
  }

  async pass(from: SpentAs, to: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#jobs?.pass(from, to, within);
  }

  /** How many counters have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  async lowering<T extends { readonly lowered: readonly LoweredSpend[] }>(
    work: () => Promise<T>,
  ): Promise<T> {
    const since = this.#begun;
    const done = await work();
    await this.lower(done.lowered, since);
    return done;
  }

  /**
   * Lowers counters as the store was lowered.
   * @param since how many counters had begun before that: later ones may have begun with what the store said before or
   * after it, and are counted anew
   */
  async lower(lowered: readonly LoweredSpend[], since: number): Promise<void> {
    this.#lowerings += 1;
    for (const { owner, windowStart, by } of lowered) {
      const counter = this.#counters.get(nameOf({ owner, windowStart }));
      if (counter === undefined) continue;
      if (counter.begun <= since) {
        counter.spent = Math.max(0, counter.spent - by);
        continue;
      }
      const before = counter.spent;
      const spent = await this.#spentBefore(owner, windowStart);
      counter.spent = spent + counter.spent - before;
    }
  }

  async close(): Promise<void> {
    await this.#jobs?.close();
  }

  /** Does something while each share's window has its counter, which nobody sweeps out meanwhile. */
  async #counting<T>(shares: readonly BudgetShare[], work: () => T): Promise<T> {
    const counters: Counter[] = [];
    try {
      for (const share of shares) counters.push(await this.#use(share));
      return work();
    } finally {
      for (const counter of counters) counter.users -= 1;
    }
  }

  /** A window's counter, in use; it begins with what the store knows to be spent. */
  async #use(share: BudgetShare): Promise<Counter> {
    const name = nameOf(share);
    let counter = this.#counters.get(name);
    while (counter === undefined) {
      const lowerings = this.#lowerings;
      const spent = await this.#spentBefore(share.owner, share.windowStart);
      // Somebody else may have begun meanwhile.
      counter = this.#counters.get(name);
      if (counter === undefined && lowerings === this.#lowerings) counter = this.#begin(share, spent);
    }
    counter.users += 1;
    counter.usedAt = Date.now();
    // The window before is needed for as long as something may roll over from it.
    if (share.windowEnd !== undefined && counter.windowEnd !== undefined)
      counter.windowEnd = Math.max(counter.windowEnd, share.windowEnd);
    return counter;
  }

  #begin(share: BudgetShare, spent: number): Counter {
    if (this.#counters.size > this.#sweepAbove) this.#sweep();
    this.#begun += 1;
    const { windowEnd } = share;
    const usedAt = Date.now();
    const counter = { spent, reserved: 0, holders: 0, users: 0, windowEnd, usedAt, begun: this.#begun };
    this.#counters.set(nameOf(share), counter);
    return counter;
  }

  #limitOf({ owner, limit, rollover }: BudgetClaim): number {
    if (rollover === undefined) return limit;
    const { spent, reserved } = this.#counters.get(nameOf({ owner, windowStart: rollover.from }))!;
    return limit + rolledOver(rollover, spent + reserved);
  }

  #fits(claim: BudgetClaim, mustFit: boolean): boolean {
    const { amount } = claim;
    const limit = this.#limitOf(claim);
    const { spent, reserved } = this.#counters.get(nameOf(claim))!;
    if (spent + reserved + amount <= limit) return true;
    // What costs nothing takes nothing from those who hold the rest.
    return !mustFit && (reserved === 0 || amount === 0) && spent < limit;
  }

  #take(id: string, shares: readonly BudgetShare[]): void {
    for (const share of shares) {
      const counter = this.#counters.get(nameOf(share))!;
      counter.users += 1;
      counter.reserved += share.amount;
      counter.holders += share.amount > 0 ? 1 : 0;
    }
    this.#held.set(id, shares);
  }

  #sweep(): void {
    const now = Date.now();
    for (const [name, { users, windowEnd, usedAt }] of this.#counters) {
      const hasEnded = windowEnd !== undefined && now >= windowEnd;
      const isIdle = this.#hasStore && now - usedAt > IDLE_AFTER;
      if (users === 0 && (hasEnded || isIdle)) this.#counters.delete(name);
    }
    this.#sweepAbove = Math.max(SWEEP_ABOVE, 2 * this.#counters.size);
  }
}

/** The window before a claim's, where something may roll over from it: until then it is needed. */
function before({ owner, windowEnd, rollover }: BudgetClaim): readonly BudgetShare[] {
  return rollover === undefined ? [] : [{ owner, amount: 0, windowStart: rollover.from, windowEnd }];
}

function nameOf(share: Pick<BudgetShare, "owner" | "windowStart">): string {
  return `${share.owner} ${windowName(share)}`;
}
