import { setTimeout as sleep } from "node:timers/promises";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { Channel } from "../../platform/siblings/channel.ts";
import { topics } from "../../platform/siblings/siblings.ts";
import type { Store } from "../../platform/store/schema.ts";
import { piecesOf } from "../../util/pieces.ts";
import type { LoweredSpend } from "../ledger/lowered-spend.ts";
import type { BudgetAnswer, BudgetClaim } from "./budgets.ts";
import type { ActualUse, Claim, ClaimResult } from "./counters.ts";
import type { MemoryBudgets } from "./memory-budgets.ts";
import { MemoryCounters } from "./memory-counters.ts";

/** Milliseconds before another try to read what a worker that ended has spent. */
const RETRY_AFTER = 500;

/** Budgets that are counted here, which those beside SQLite are. */
export interface CountedBudgets {
  readonly budgets: MemoryBudgets;
  readonly store: Store;
  /** Brings the spend rows of all workers into the store, also of those that have ended. */
  readonly writeRows: () => Promise<void>;
}

/** Limits and budgets of all workers, counted in the process that started them: exact, as in a gateway of one process. */
export class LimitsOfWorkers {
  readonly #counters = new MemoryCounters();
  readonly #counted: CountedBudgets | undefined;
  readonly #logger: Logger;
  #isClosed = false;

  constructor(counted: CountedBudgets | undefined, logger: Logger) {
    this.#counted = counted;
    this.#logger = logger;
  }

  /** Counts for a worker. @returns ends what it holds; called when it has ended and everything that it told is here */
  serve(channel: Channel): () => Promise<void> {
    const claims = new Map<string, readonly Claim[]>();
    const shares = new Set<string>();
    let hasLeft = false;
    channel.on(topics.claimLimits, async (asked: { id: string; claims: readonly Claim[] }) => {
      const result: ClaimResult = await this.#counters.claim(asked.id, asked.claims);
      if (result.taken) claims.set(asked.id, asked.claims);
      return result;
    });
    channel.on(topics.finishLimits, (end: { id: string; claims: readonly Claim[]; use?: ActualUse }) => {
      claims.delete(end.id);
      return this.#counters.finish(end.id, end.claims, end.use);
    });
    if (this.#counted === undefined) {
      return async () => this.#endLimits(claims);
    }
    const { budgets } = this.#counted;
    channel.on(
      topics.claimBudgets,
      async ({ id, claims: wanted, mustFit }: { id: string; claims: BudgetClaim[]; mustFit: boolean }) => {
        const answer: BudgetAnswer = await budgets.claim(id, wanted, mustFit);
        if (!answer.taken) return answer;
        if (hasLeft) budgets.finish(id, undefined);
        else shares.add(id);
        return answer;
      },
    );
    channel.on(topics.finishBudgets, ({ id, cost }: { id: string; cost?: number }) => {
      shares.delete(id);
      budgets.finish(id, cost);
    });
    channel.on(topics.charge, ({ owners, cost }: { owners: string[]; cost: number }) =>
      budgets.charge(owners, cost),
    );
    channel.on(topics.kept, ({ id }: { id: string }) => {
      shares.delete(id);
      budgets.noteKept(id);
    });
    channel.on(topics.look, () => budgets.lookAtKept());
    channel.on(topics.countersBegun, () => budgets.begun);
    channel.on(topics.lower, ({ lowered, since }: { lowered: LoweredSpend[]; since: number }) =>
      budgets.lower(lowered, since),
    );
    return async () => {
      hasLeft = true;
      await this.#endLimits(claims);
      await this.#endShares(shares);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#counted?.budgets.close();
  }

  /** What was claimed of a minute was likely used; places among parallel calls are free. */
  async #endLimits(held: ReadonlyMap<string, readonly Claim[]>): Promise<void> {
    for (const [id, claims] of held) {
      const tokens = claims.map((claim) => (claim.kind === "tokens" ? claim.amount : 0));
      await this.#counters.finish(id, claims, { tokens: Math.max(0, ...tokens) });
    }
  }

  /**
   * Ends the shares of a worker's calls: by what their rows say they cost, and those that have no row by nothing. They
   * are held until all rows of the worker are in the store, which another worker brings there.
   */
  async #endShares(held: ReadonlySet<string>): Promise<void> {
    if (held.size === 0) return;
    const { budgets, store, writeRows } = this.#counted!;
    while (!this.#isClosed) {
      try {
        await writeRows();
        // What the worker kept for a job stands in the store, also if it could not tell.
        await budgets.lookAtKept();
        const costs = await costsOf(store, [...held]);
        for (const id of held) if (!budgets.isKept(id)) budgets.finish(id, costs.get(id));
        return;
      } catch (error) {
        this.#logger.warn(
          { error: describeError(error), calls: held.size },
          "what a worker that ended has spent is not known yet, trying again",
        );
        await sleep(RETRY_AFTER);
      }
    }
  }
}

/** Rows that one query asks for. */
const AT_ONCE = 500;

/** What calls have cost, by the ids of their shares, which are those of their rows. */
async function costsOf({ db }: Store, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const costs = new Map<string, number>();
  for (const some of piecesOf(ids, AT_ONCE)) {
    const query = db.selectFrom("spend_logs").select(["id", "spend"]);
    const rows = await query.where("id", "in", some).execute();
    for (const { id, spend } of rows) costs.set(id, spend);
  }
  return costs;
}
