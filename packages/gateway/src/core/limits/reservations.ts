import type { LimitScope } from "../../contract/principal.ts";
import type { Usage } from "../../contract/usage.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { Hold } from "../ledger/ledger.ts";
import type { BudgetClaim, Budgets, SpentAs } from "./budgets.ts";
import type { Claim, Counters } from "./counters.ts";
import type { Reservation } from "./limiter.ts";

/** Where shares are counted. */
interface Parts {
  readonly counters: Counters;
  readonly budgets: Budgets;
  readonly logger: Logger;
}

/** The reservation of a caller that nothing limits, but whose cost counts for others. */
export class UnheldReservation implements Reservation {
  readonly #budgets: Budgets;
  readonly #scopes: readonly LimitScope[];
  readonly headers = {};
  readonly hold = undefined;
  #open = true;

  constructor(budgets: Budgets, scopes: readonly LimitScope[]) {
    this.#budgets = budgets;
    this.#scopes = scopes;
  }

  settle(_usage: Usage | undefined, cost = 0): void {
    if (this.#open) this.#budgets.charge(unheldOwners(this.#scopes, []), cost);
    this.#open = false;
  }

  release(): void {
    this.#open = false;
  }

  async keepUntilSpent(): Promise<void> {
    this.#open = false;
  }

  handOverBudgets(): Reservation {
    this.#open = false;
    return new UnheldReservation(this.#budgets, this.#scopes);
  }
}

/** Scopes that a call counts in without a share that it holds of what they may spend in all. */
export function unheldOwners(scopes: readonly LimitScope[] = [], shares: readonly BudgetClaim[]): string[] {
  return scopes
    .map(({ owner }) => owner)
    .filter((owner) => !shares.some((share) => share.owner === owner && share.windowStart === 0));
}

/** What a call has taken beside its shares of budgets. */
interface Taken {
  readonly claims: readonly Claim[];
  /** Scopes whose spend the call adds to without a share. */
  readonly unheld: readonly string[];
}

/** The shares of budgets that a call has taken; `undefined` where it has none. */
export function holdOf(id: string, keyHash: string, shares: readonly BudgetClaim[]): Hold {
  const own = shares.find(({ owner }) => owner === keyHash);
  const scopes = shares.filter((share) => share !== own);
  return {
    id,
    windowStart: own?.windowStart,
    scopes: scopes.map(({ owner, windowStart }) => ({ owner, start: windowStart ?? 0 })),
  };
}

/** The reservation of a caller whom something limits. */
export class CountedReservation implements Reservation {
  readonly #parts: Parts;
  readonly #id: string;
  readonly #claims: readonly Claim[];
  readonly headers: Readonly<Record<string, string>>;
  #unheld: readonly string[];
  #hold: Hold | undefined;
  #open = true;

  constructor(
    parts: Parts,
    id: string,
    { claims, unheld }: Taken,
    headers: Readonly<Record<string, string>>,
    hold: Hold | undefined,
  ) {
    this.#parts = parts;
    this.#id = id;
    this.#claims = claims;
    this.#unheld = unheld;
    this.headers = headers;
    this.#hold = hold;
  }

  get hold(): Hold | undefined {
    return this.#hold;
  }

  settle(usage: Usage | undefined, cost: number | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    if (this.#hold !== undefined) this.#parts.budgets.finish(this.#id, cost);
    if (cost !== undefined && this.#unheld.length > 0) this.#parts.budgets.charge(this.#unheld, cost);
    this.#finishLimits({ tokens: usage === undefined ? 0 : usage.input + usage.output });
  }

  release(): void {
    if (!this.#open) return;
    this.#open = false;
    if (this.#hold !== undefined) this.#parts.budgets.finish(this.#id, undefined);
    this.#finishLimits(undefined);
  }

  async keepUntilSpent(as: SpentAs, within?: Store["db"]): Promise<void> {
    if (!this.#open) return;
    if (this.#hold !== undefined) await this.#parts.budgets.keep(this.#id, as, within);
    this.#open = false;
    // How many tokens it takes nobody tells in time.
    const tokens = this.#claims.map((claim) => (claim.kind === "tokens" ? claim.amount : 0));
    this.#finishLimits({ tokens: Math.max(0, ...tokens) });
  }

  handOverBudgets(): Reservation {
    const taken = { claims: [], unheld: this.#unheld };
    const handed = new CountedReservation(this.#parts, this.#id, taken, {}, this.#hold);
    this.#hold = undefined;
    this.#unheld = [];
    return handed;
  }

  #finishLimits(use: { tokens: number } | undefined): void {
    if (this.#claims.length === 0) return;
    const { counters, logger } = this.#parts;
    counters
      .finish(this.#id, this.#claims, use)
      .catch((error: unknown) =>
        logger.error({ error: describeError(error) }, "a call's share of its limits was not returned"),
      );
  }
}

/** Two reservations of one call as one, with the headers and the hold of the first. */
export function together(first: Reservation, second: Reservation | undefined): Reservation {
  if (second === undefined) return first;
  return {
    settle: (usage, cost) => {
      first.settle(usage, cost);
      second.settle(usage, cost);
    },
    release: () => {
      first.release();
      second.release();
    },
    keepUntilSpent: async (as, within) => {
      await first.keepUntilSpent(as, within);
      await second.keepUntilSpent(as, within);
    },
    handOverBudgets: () => together(first.handOverBudgets(), second.handOverBudgets()),
    headers: first.headers,
    hold: first.hold,
  };
}
