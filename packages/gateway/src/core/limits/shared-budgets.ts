import { setImmediate as nextTurn } from "node:timers/promises";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { Recurring } from "../../platform/log/recurring.ts";
import type { Store } from "../../platform/store/schema.ts";
import { takeTurn, type Wanted } from "./budget-turn.ts";
import { type BudgetAnswer, type BudgetClaim, type Budgets, BudgetsAway, type SpentAs } from "./budgets.ts";
import { RENEW_EVERY } from "./counters.ts";
import { HoldStore } from "./hold-store.ts";

/** Milliseconds between two looks for holds that are over. */
const SWEEP_EVERY = 1000;
/** Milliseconds before another try when the database did not answer. */
const RETRY_AFTER = 500;
/** Calls that one statement starts or ends at most. */
const MAX_TOGETHER = 500;

interface Waiting extends Wanted {
  resolve(answer: BudgetAnswer): void;
  reject(error: Error): void;
}

/**
 * Budgets counted in PostgreSQL by all replicas that share it. What starts and ends while one statement is on its way goes
 * with the next. A share becomes what its call cost when the call ends, and the writer of the spend log removes it when it
 * adds the row to what is spent: in every moment the database has each call in exactly one of the two. Shares of a
 * process that died lapse, except of calls that had ended.
 */
export class SharedBudgets implements Budgets {
  readonly #db: Store["db"];
  readonly #holds: HoldStore;
  readonly #logger: Logger;
  /** Calls of this process that hold shares. */
  readonly #open = new Map<string, readonly BudgetClaim[]>();
  #waiting: Waiting[] = [];
  #ended = new Map<string, number | undefined>();
  /** Ends of calls that are told after this turn of the event loop. */
  readonly #finishing = new Set<Promise<void>>();
  #renewedAt = performance.now();
  /** A statement failed: the database may have forgotten what is held. */
  #isUnsure = false;
  #running: Promise<void> | undefined;
  #failing: Recurring | undefined;
  #sweepFailing: Recurring | undefined;
  #sweeping: Promise<void> | undefined;
  readonly #timers: readonly NodeJS.Timeout[];
  #isClosed = false;

  constructor(store: Store, logger: Logger) {
    this.#db = store.db;
    this.#holds = new HoldStore(store);
    this.#logger = logger;
    this.#timers = [
      setInterval(() => this.#wake(), RENEW_EVERY).unref(),
      setInterval(() => this.#sweep(), SWEEP_EVERY).unref(),
    ];
  }

  async open(): Promise<void> {}

  claim(id: string, claims: readonly BudgetClaim[], mustFit: boolean): Promise<BudgetAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, claims, mustFit, resolve, reject });
      this.#wake();
    });
  }

  /**
   * The row of a call that cost something reaches the journal with the end of this turn of the event loop, and the database
   * hears of the end after that. The other way round a process that dies in between would leave a cost without a row.
   */
  finish(id: string, cost: number | undefined): void {
    if (cost === undefined || cost === 0) {
      this.#end(id, undefined);
      return;
    }
    const finishing = nextTurn()
      .then(() => nextTurn())
      .then(() => {
        this.#finishing.delete(finishing);
        this.#end(id, cost);
      });
    this.#finishing.add(finishing);
  }

  #end(id: string, cost: number | undefined): void {
    // What held nothing is counted with the row of the spend log.
    if (this.#open.get(id)?.some(({ amount }) => amount > 0)) {
      this.#ended.set(id, cost);
      this.#wake();
    }
    this.#open.delete(id);
  }

  /** The database counts it with the row of the spend log. */
  charge(): void {}

  async keep(id: string, as: SpentAs, within?: Store["db"]): Promise<void> {
    const claims = this.#open.get(id);
    if (claims === undefined) return;
    await this.#holds.keep(id, claims, as, within);
    this.#open.delete(id);
  }

  keptOf(as: SpentAs): Promise<ReadonlySet<string>> {
    return this.#holds.ownersOf(as);
  }

  async forget(as: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#holds.forget(as, within);
  }

  async pass(from: SpentAs, to: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#holds.pass(from, to, within);
  }

  /** Each turn reads what the store says. */
  lowering<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#finishing);
    this.#isClosed = true;
    await this.#sweeping;
    await this.#running;
    if (this.#ended.size > 0) await this.#turn().catch(() => undefined);
    for (const { reject } of this.#waiting.splice(0)) reject(new BudgetsAway("The gateway ends"));
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#waiting.length + this.#ended.size > 0 && !this.#isClosed) this.#wake();
    });
  }

  async #run(): Promise<void> {
    // Whoever is about to start or end a call in this turn of the loop goes along.
    await nextTurn();
    do {
      try {
        await this.#turn();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER).unref());
      }
    } while (this.#waiting.length + this.#ended.size > 0 && !this.#isClosed);
  }

  async #turn(): Promise<void> {
    const wanted = this.#waiting.splice(0, MAX_TOGETHER);
    const ended = this.#ended;
    this.#ended = new Map();
    const now = performance.now();
    const isRenewing = now - this.#renewedAt >= RENEW_EVERY / 2;
    try {
      if (this.#isUnsure) await this.#holds.show(this.#open);
      this.#isUnsure = false;
      const alive = isRenewing ? [...this.#open.keys()] : [];
      const answers = await takeTurn(this.#db, { ended, alive, wanted });
      if (isRenewing) this.#renewedAt = now;
      this.#failing = undefined;
      for (const [index, { id, claims, resolve }] of wanted.entries()) {
        const answer = answers[index]!;
        if (answer.taken) this.#open.set(id, claims);
        resolve(answer);
      }
    } catch (error) {
      const reason = describeError(error);
      this.#failing ??= new Recurring();
      if (this.#failing.failed(reason))
        this.#logger.error({ error: reason }, "budgets could not be counted in the database");
      this.#isUnsure = true;
      // What came after that is as it should be. Whether a share was taken nobody knows: it is given back.
      this.#ended = new Map([...ended, ...wanted.map(({ id }) => [id, undefined] as const), ...this.#ended]);
      for (const { reject } of wanted)
        reject(new BudgetsAway("The database does not answer", { cause: error }));
      throw error;
    }
  }

  #sweep(): void {
    this.#sweeping ??= this.#holds
      .unspent()
      .then(() => {
        this.#sweepFailing = undefined;
      })
      .catch((error: unknown) => {
        this.#sweepFailing ??= new Recurring();
        if (this.#sweepFailing.failed())
          this.#logger.warn({ error: describeError(error) }, "held shares of budgets could not be looked at");
      })
      .finally(() => {
        this.#sweeping = undefined;
      });
  }
}
