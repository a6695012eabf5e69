import type { Deployment } from "../../contract/deployment.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Family } from "../../contract/wire-format.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import type { Hold } from "../ledger/ledger.ts";
import type { Budgets, SpentAs } from "./budgets.ts";

/** What a call is expected to use at most. */
export interface ReservationRequest {
  readonly principal: Principal;
  /** Given to hold a deployment's own `rpm`, `tpm`, `max_parallel_requests` and budgets; absent holds the key's limits. */
  readonly deployment?: Deployment;
  readonly model: string;
  /** Further names of models that limits of the key may mean. */
  readonly names?: readonly string[];
  /** Whose rate-limit headers the reservation has; absent where nobody reads any. */
  readonly family?: Family;
  /** Input and output together. */
  readonly estimatedTokens: number;
  /** US dollars. */
  readonly estimatedCost: number;
  /** Refuses what costs more than is left, also where nobody else holds anything: what cannot be stopped half-way. */
  readonly mustFit?: boolean;
  /** The call may go elsewhere: it does not wait for others that hold what is left of a budget. */
  readonly isElsewhere?: boolean;
  /** Aborted when nobody waits for the call any more. */
  readonly signal?: CallSignal;
}

/** A call's share of its limits until it is settled or released; both may be called more than once. */
export interface Reservation {
  /** The call took place: replaces the estimate by what it used and frees its place among the parallel ones. */
  settle(usage: Usage | undefined, cost: number | undefined): void;
  /** The call did not take place: gives everything back. */
  release(): void;
  /**
   * What it costs becomes known later, as a row of the spend log: until that is there the share stays held, whatever
   * becomes of this process. Neither `settle` nor `release` has an effect any more.
   * @param within the transaction that adds the job which will write the row: a share without such a job would be held
   * for days, and the job without the share would pass the budget
   */
  keepUntilSpent(as: SpentAs, within?: Store["db"]): Promise<void>;
  /**
   * Its shares of budgets go over to another reservation, and this one keeps the limits: of a call whose attempt goes on
   * without it, for as long as that takes.
   */
  handOverBudgets(): Reservation;
  /** The rate-limit headers of the caller's family, empty for callers without limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its shares of budgets, which the row of the spend log ends that says what the call cost; absent without any. */
  readonly hold: Hold | undefined;
}

/** Holds the limits and budgets of keys and deployments, exactly also under concurrency. */
export interface Limiter {
  /**
   * Takes the call's share; at once where there is nothing to hold, which most calls have.
   * @throws GatewayError 429 `rate_limit_error` with `retryAfter`, or 402 `budget_exceeded`
   */
  reserve(request: ReservationRequest): Reservation | Promise<Reservation>;
  /** Of whose budgets shares are kept until a row of the spend log comes. */
  keptOf(as: SpentAs): Promise<ReadonlySet<string>>;
  /** The principal with those of its limits for some models that a call counts in which is known by one of these names. */
  underModels(principal: Principal, names: readonly string[]): Principal;
  /**
   * Gives back what was kept for something of which no row of the spend log will come.
   * @param within the transaction that ends the thing or its job
   */
  forget(as: SpentAs, within?: Store["db"]): Promise<void>;
  /** Has what was kept until one row of the spend log comes end with another one: the thing has its id now. */
  pass(from: SpentAs, to: SpentAs, within?: Store["db"]): Promise<void>;
  /** @see Budgets.lowering */
  readonly lowering: Budgets["lowering"];
  close(): Promise<void>;
}
