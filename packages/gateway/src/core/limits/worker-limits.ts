import { setImmediate as nextTurn } from "node:timers/promises";
import { type Siblings, topics } from "../../platform/siblings/siblings.ts";
import type { Store } from "../../platform/store/schema.ts";
import { Deadlines } from "../../platform/transport/deadlines.ts";
import type { LoweredSpend } from "../ledger/lowered-spend.ts";
import { type BudgetAnswer, type BudgetClaim, type Budgets, BudgetsAway, type SpentAs } from "./budgets.ts";
import type { ActualUse, Claim, ClaimResult, Counters } from "./counters.ts";
import type { HoldStore } from "./hold-store.ts";
import { limitsAway } from "./limit-error.ts";

/** Milliseconds after which a primary that does not answer counts as away: it does nothing that takes so long. */
const ANSWER_WITHIN = 10_000;

/** What workers ask and have no answer to yet. One clock looks after all: each call with a limit asks. */
const deadlines = new Deadlines({ precision: 500 });

/**
 * The primary's answer, where it comes in time: one that is stopped keeps its workers' channels open.
 * @param late told of an answer that came when nobody waited for it any more
 */
function inTime<Answer>(asked: Promise<Answer>, late: (answer: Answer) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const question = {
      expiresAt: performance.now() + ANSWER_WITHIN,
      watchedAt: 0,
      expire: () => {
        isLate = true;
        deadlines.forget(question);
        reject(new Error(`the primary did not answer within ${ANSWER_WITHIN / 1000} seconds`));
      },
    };
    deadlines.watch(question);
    asked.then(
      (answer) => {
        if (isLate) return late(answer);
        deadlines.forget(question);
        resolve(answer);
      },
      (error: unknown) => {
        if (isLate) return;
        deadlines.forget(question);
        reject(error as Error);
      },
    );
  });
}

/** Limits of a worker: its primary counts them for all workers. */
export class WorkerCounters implements Counters {
  readonly #siblings: Siblings;

  constructor(siblings: Siblings) {
    this.#siblings = siblings;
  }

  /** @throws GatewayError 503 */
  async claim(id: string, claims: readonly Claim[]): Promise<ClaimResult> {
    const asked = this.#siblings.primary.ask<ClaimResult>(topics.claimLimits, { id, claims });
    const giveBack = ({ taken }: ClaimResult) => {
      if (taken) void this.finish(id, claims, undefined);
    };
    try {
      return await inTime(asked, giveBack);
    } catch (error) {
      throw limitsAway(error as Error);
    }
  }

  async finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void> {
    this.#siblings.primary.tell(topics.finishLimits, { id, claims, use });
  }

  async close(): Promise<void> {}
}

/** Budgets of a worker beside SQLite: its primary counts them for all workers. */
export class WorkerBudgets implements Budgets {
  readonly #siblings: Siblings;
  readonly #holds: HoldStore;
  readonly #open = new Map<string, readonly BudgetClaim[]>();
  /** Ends of calls that are told after this turn of the event loop. */
  readonly #finishing = new Set<Promise<void>>();

  constructor(siblings: Siblings, holds: HoldStore) {
    this.#siblings = siblings;
    this.#holds = holds;
  }

  async open(): Promise<void> {}

  async claim(id: string, claims: readonly BudgetClaim[], mustFit: boolean): Promise<BudgetAnswer> {
    const giveBack = ({ taken }: BudgetAnswer) => {
      if (taken) this.#siblings.primary.tell(topics.finishBudgets, { id, cost: undefined });
    };
    const answer = await this.#ask(topics.claimBudgets, { id, claims, mustFit }, giveBack);
    if (answer.taken) this.#open.set(id, claims);
    return answer;
  }

  /**
   * The row of a call that cost something reaches the journal with the end of this turn of the event loop, and the primary
   * hears of the end after that: what a killed worker had told has a row.
   */
  finish(id: string, cost: number | undefined): void {
    this.#open.delete(id);
    const finishing = (cost === undefined ? Promise.resolve() : nextTurn().then(() => nextTurn())).then(
      () => {
        this.#finishing.delete(finishing);
        this.#siblings.primary.tell(topics.finishBudgets, { id, cost });
      },
    );
    this.#finishing.add(finishing);
  }

  charge(owners: readonly string[], cost: number): void {
    this.#siblings.primary.tell(topics.charge, { owners, cost });
  }

  async keep(id: string, as: SpentAs, within?: Store["db"]): Promise<void> {
    const shares = this.#open.get(id);
    if (shares === undefined) return;
    await this.#holds.keep(id, shares, as, within);
    this.#open.delete(id);
    this.#siblings.primary.tell(topics.kept, { id });
  }

  keptOf(as: SpentAs): Promise<ReadonlySet<string>> {
    return this.#holds.ownersOf(as);
  }

  async forget(as: SpentAs, within?: Store["db"]): Promise<void> {
    if ((await this.#holds.forget(as, within)) && within === undefined) await this.#ask(topics.look);
  }

  async pass(from: SpentAs, to: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#holds.pass(from, to, within);
  }

  async lowering<T extends { readonly lowered: readonly LoweredSpend[] }>(
    work: () => Promise<T>,
  ): Promise<T> {
    const since = await this.#ask<number>(topics.countersBegun);
    const done = await work();
    await this.#ask(topics.lower, { lowered: done.lowered, since });
    return done;
  }

  async close(): Promise<void> {
    await Promise.all(this.#finishing);
    // What was told before is there when this is answered.
    await this.#ask(topics.look).catch(() => undefined);
  }

  async #ask<Answer>(
    topic: string,
    content?: unknown,
    late: (answer: Answer) => void = () => undefined,
  ): Promise<Answer> {
    try {
      return await inTime(this.#siblings.primary.ask<Answer>(topic, content), late);
    } catch (error) {
      throw new BudgetsAway("The process that counts budgets did not answer", { cause: error });
    }
  }
}
