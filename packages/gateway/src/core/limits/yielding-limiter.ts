import type { Deployment } from "../../contract/deployment.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { Hold } from "../ledger/ledger.ts";
import type { SpentAs } from "./budgets.ts";
import type { Limiter, Reservation, ReservationRequest } from "./limiter.ts";

const MINUTE = 60_000;
/** Part of a deployment's limits that batches leave free, so that the first interactive call finds room. */
const MIN_HEADROOM = 0.03;
const MAX_HEADROOM = 0.8;

/** Two views of one limiter: through one interactive calls pass, through the other batches, which give way. */
export class YieldingLimiter {
  readonly interactive: Limiter;
  readonly batch: Limiter;
  readonly #recent = new Map<string, RecentCalls>();
  #running = 0;

  constructor(limiter: Limiter) {
    const rest: Omit<Limiter, "reserve"> = {
      underModels: (principal, names) => limiter.underModels(principal, names),
      keptOf: (as) => limiter.keptOf(as),
      forget: (as, within) => limiter.forget(as, within),
      pass: (from, to, within) => limiter.pass(from, to, within),
      lowering: (work) => limiter.lowering(work),
      close: () => limiter.close(),
    };
    this.interactive = { reserve: (request) => this.#reserve(limiter, request), ...rest };
    this.batch = { reserve: (request) => limiter.reserve(this.#lowered(request)), ...rest };
  }

  /** Interactive calls that are running. */
  get interactiveCalls(): number {
    return this.#running;
  }

  #reserve(limiter: Limiter, request: ReservationRequest): Reservation | Promise<Reservation> {
    const taken = limiter.reserve(request);
    return taken instanceof Promise
      ? taken.then((reservation) => this.#noted(reservation, request))
      : this.#noted(taken, request);
  }

  #noted(reservation: Reservation, { deployment, estimatedTokens }: ReservationRequest): Reservation {
    if (deployment === undefined) {
      this.#running += 1;
      return new InteractiveReservation(reservation, this.#ended);
    }
    if (deployment.rpm !== undefined || deployment.tpm !== undefined) {
      const recent = this.#recent.get(deployment.id) ?? new RecentCalls();
      this.#recent.set(deployment.id, recent);
      recent.add(estimatedTokens);
    }
    return reservation;
  }

  readonly #ended = (): void => {
    this.#running -= 1;
  };

  #lowered(request: ReservationRequest): ReservationRequest {
    const { deployment } = request;
    if (deployment === undefined || (deployment.rpm ?? deployment.tpm) === undefined) return request;
    const recent = this.#recent.get(deployment.id)?.lastMinute() ?? { calls: 0, tokens: 0 };
    const lowered: Deployment = {
      ...deployment,
      rpm: withHeadroom(deployment.rpm, recent.calls),
      tpm: withHeadroom(deployment.tpm, recent.tokens),
    };
    return { ...request, deployment: lowered };
  }
}

/** A reservation that says once that its call is over. */
class InteractiveReservation implements Reservation {
  readonly headers: Readonly<Record<string, string>>;
  readonly #reservation: Reservation;
  #ended: (() => void) | undefined;

  constructor(reservation: Reservation, ended: () => void) {
    this.headers = reservation.headers;
    this.#reservation = reservation;
    this.#ended = ended;
  }

  get hold(): Hold | undefined {
    return this.#reservation.hold;
  }

  handOverBudgets(): Reservation {
    return this.#reservation.handOverBudgets();
  }

  settle(usage: Usage | undefined, cost: number | undefined): void {
    this.#end();
    this.#reservation.settle(usage, cost);
  }

  release(): void {
    this.#end();
    this.#reservation.release();
  }

  keepUntilSpent(as: SpentAs, within?: Store["db"]): Promise<void> {
    this.#end();
    return this.#reservation.keepUntilSpent(as, within);
  }

  #end(): void {
    this.#ended?.();
    this.#ended = undefined;
  }
}

/** Leaves as much as interactive calls lately took, within bounds. */
function withHeadroom(limit: number | undefined, recent: number): number | undefined {
  if (limit === undefined) return undefined;
  const headroom = Math.min(limit * MAX_HEADROOM, Math.max(limit * MIN_HEADROOM, recent));
  return Math.max(1, Math.floor(limit - headroom));
}

/** Calls of the running and the last minute. */
class RecentCalls {
  #startedAt = Date.now();
  #calls = 0;
  #tokens = 0;
  #before = { calls: 0, tokens: 0 };

  add(tokens: number): void {
    this.#turn();
    this.#calls += 1;
    this.#tokens += tokens;
  }

  lastMinute(): { calls: number; tokens: number } {
    this.#turn();
    return {
      calls: Math.max(this.#calls, this.#before.calls),
      tokens: Math.max(this.#tokens, this.#before.tokens),
    };
  }

  #turn(): void {
    const passed = Date.now() - this.#startedAt;
    if (passed < MINUTE) return;
    this.#before =
      passed < 2 * MINUTE ? { calls: this.#calls, tokens: this.#tokens } : { calls: 0, tokens: 0 };
    this.#startedAt = Date.now();
    this.#calls = 0;
    this.#tokens = 0;
  }
}
