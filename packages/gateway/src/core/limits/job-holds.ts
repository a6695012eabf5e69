import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { Recurring } from "../../platform/log/recurring.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { BudgetShare, SpentAs } from "./budgets.ts";
import type { FoundHold, HoldStore } from "./hold-store.ts";

/** Milliseconds between two looks: while something is held, and otherwise, for what other processes hold. */
const LOOK_EVERY = 1000;
const IDLE_LOOK_EVERY = 5000;

/** Who counts the holds. */
export interface HoldCounter {
  adopt(id: string, shares: readonly BudgetShare[]): Promise<void>;
  finish(id: string, cost: undefined): void;
}

/** What a process knows of a hold. */
interface Known {
  /** Number of the look before which it was taken. */
  readonly since: number;
}

/**
 * Shares of budgets of what goes on outside of any call: background responses and batches at providers. They stand in the
 * store with what they are for, this process counts them, and they end with the row of the spend log that says what it
 * cost, whichever process writes it.
 */
export class JobHolds {
  readonly #store: HoldStore;
  readonly #counter: HoldCounter;
  readonly #logger: Logger;
  readonly #known = new Map<string, Known>();
  /** Those that were over at the last look. */
  readonly #ended = new Set<string>();
  #looks = 0;
  #failing: Recurring | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(store: HoldStore, counter: HoldCounter, logger: Logger) {
    this.#store = store;
    this.#counter = counter;
    this.#logger = logger;
  }

  /** Counts what was held before this process began, then goes on looking. */
  async open(): Promise<void> {
    await this.#look();
    this.#wait();
  }

  /** Keeps a share that a call of this process took. */
  async keep(id: string, shares: readonly BudgetShare[], as: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#store.keep(id, shares, as, within);
    this.note(id);
  }

  ownersOf(as: SpentAs): Promise<ReadonlySet<string>> {
    return this.#store.ownersOf(as);
  }

  /** A share that is counted here stands in the store. */
  note(id: string): void {
    this.#looks += 1;
    this.#known.set(id, { since: this.#looks });
    this.#wait();
  }

  /** Whether a share is held until a row of the spend log ends it. */
  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** Looks at once: what is held in the store, and what is not any more. */
  async look(): Promise<void> {
    await this.#look();
    await this.#look();
  }

  /** Ends a hold that no row of the spend log will end; one of a transaction with the looks that come after it. */
  async forget(as: SpentAs, within?: Store["db"]): Promise<void> {
    if (!(await this.#store.forget(as, within)) || within !== undefined) return;
    await this.look();
  }

  /** A hold keeps its own id, by which this process knows it. */
  async pass(from: SpentAs, to: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#store.pass(from, to, within);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const pause = this.#known.size > 0 ? LOOK_EVERY : IDLE_LOOK_EVERY;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#wait());
    }, pause).unref();
  }

  async #look(): Promise<void> {
    this.#looks += 1;
    const look = this.#looks;
    try {
      const found = await this.#store.unspent();
      for (const hold of found.values()) await this.#adopt(hold, look);
      for (const [id, { since }] of this.#known) {
        // What was kept after the look began may not have been there for it.
        if (found.has(id) || since > look) continue;
        // Whoever wrote the row may be about to tell the counter what it cost.
        if (!this.#ended.delete(id)) {
          this.#ended.add(id);
          continue;
        }
        this.#known.delete(id);
        this.#counter.finish(id, undefined);
      }
      this.#failing = undefined;
    } catch (error) {
      this.#failing ??= new Recurring();
      if (this.#failing.failed())
        this.#logger.warn({ error: describeError(error) }, "held shares of budgets could not be looked at");
    }
  }

  async #adopt(hold: FoundHold, look: number): Promise<void> {
    if (this.#known.has(hold.id)) return;
    await this.#counter.adopt(hold.id, hold.shares);
    this.#known.set(hold.id, { since: look });
  }
}
