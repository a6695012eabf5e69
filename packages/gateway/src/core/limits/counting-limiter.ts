import type { GatewayError } from "../../contract/errors.ts";
import {
  budgetAt,
  type LimitScope,
  lastingScopes,
  type Principal,
  scopesOf,
} from "../../contract/principal.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { Store } from "../../platform/store/schema.ts";
import { callAborted } from "../../platform/transport/failures.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import { orderedUuid } from "../../util/ordered-uuid.ts";
import { budgetWindow, type Timezone } from "../ledger/budget-window.ts";
import type { RollingBudget, Rollover, Rollovers } from "../ledger/rollover.ts";
import { type BudgetClaim, type Budgets, BudgetsAway, type SpentAs } from "./budgets.ts";
import type { Claim, Counters, Standing } from "./counters.ts";
import { budgetHeld, budgetSpent, budgetsAway, deploymentSpent, limitError, tooDear } from "./limit-error.ts";
import type { Limiter, Reservation, ReservationRequest } from "./limiter.ts";
import { type Priorities, shareOf } from "./priorities.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { CountedReservation, holdOf, UnheldReservation, unheldOwners } from "./reservations.ts";

/**
 * Milliseconds that a call waits for others to end when the budget has room for it but they hold it for their worst
 * case, which is far from the usual one: nobody is refused while budget is left. Then the caller may try again.
 */
const MAX_WAIT = 600_000;
/** Milliseconds that a call waits for a database that does not answer. */
const MAX_AWAY = 10_000;
/** Milliseconds between two looks, at first and at most. */
const LOOK_AGAIN_AFTER = 25;
const MAX_LOOK_AGAIN_AFTER = 500;

/** US dollars that a call holds of a budget at most: none has more, and sums of as many are exact to a cent. */
const MAX_AMOUNT = 1e12;

/** The reservation of a caller without limits. */
const unlimited: Reservation = {
  settle: () => {},
  release: () => {},
  keepUntilSpent: async () => {},
  handOverBudgets: () => unlimited,
  headers: {},
  hold: undefined,
};

/** What a limiter counts with. */
interface Parts {
  /** Of limits, in this process or shared. */
  readonly counters: Counters;
  readonly budgets: Budgets;
  readonly logger: Logger;
  /** Absent where no limits are for some models alone. */
  readonly underModels?: Limiter["underModels"] | undefined;
  /** Absent where the limits of deployments are not shared out among priorities. */
  readonly priorities?: (() => Priorities | undefined) | undefined;
  readonly timezone: Timezone;
  readonly rollovers: Rollovers;
}

/** The limiter on counters. */
export class CountingLimiter implements Limiter {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Counts what was held before this process began. */
  async open(): Promise<this> {
    await this.#parts.budgets.open();
    return this;
  }

  reserve(asked: ReservationRequest): Reservation | Promise<Reservation> {
    const request = asked.deployment === undefined ? this.#underItsModels(asked) : asked;
    const { deployment, principal } = request;
    const scopes = deployment === undefined ? principal.scopes : undefined;
    const isHeld =
      isLimited(deployment ?? principal.limits) ||
      deployment?.budgets !== undefined ||
      scopes?.some(({ limits }) => isLimited(limits)) === true;
    if (isHeld) return this.#reserve(request);
    return scopes === undefined ? unlimited : new UnheldReservation(this.#parts.budgets, scopes);
  }

  async #reserve(request: ReservationRequest): Promise<Reservation> {
    const { deployment, principal, estimatedTokens, model, family } = request;
    const scopes =
      deployment === undefined
        ? lastingScopes(principal)
        : [{ owner: `deployment:${deployment.id}`, name: `the model ${model}`, limits: deployment }];
    const all = scopes.flatMap((scope) => claimsOf(scope, estimatedTokens));
    const claims = deployment === undefined ? all : all.map((claim) => this.#withShare(claim, principal));
    const id = orderedUuid();
    const { standings, shares } = await this.#take(id, claims, request);
    const headers = family === undefined ? {} : rateLimitHeaders(claims, standings, family, Date.now());
    const unheld = unheldOwners(deployment === undefined ? principal.scopes : deployment.budgets, shares);
    const hold = shares.length === 0 ? undefined : holdOf(id, principal.keyHash, shares);
    return new CountedReservation(this.#parts, id, { claims, unheld }, headers, hold);
  }

  /** A claim of a deployment's limit with what is kept of that for the caller's priority. */
  #withShare(claim: Claim, principal: Principal): Claim {
    const priorities = claim.kind === "parallel" ? undefined : this.#parts.priorities?.();
    if (priorities === undefined) return claim;
    const share = shareOf(principal, claim.limit, priorities);
    if (claim.kind !== "tokens") return { ...claim, share } as Claim;
    // Whoever asks for more than its priority can get holds nothing back of what is kept for others.
    const most = Math.max(share.limit, share.above);
    return { ...claim, share, amount: most > 0 ? atMost(most, claim.amount) : claim.amount };
  }

  underModels(principal: Principal, names: readonly string[]): Principal {
    return this.#parts.underModels?.(principal, names) ?? principal;
  }

  /** The request with the limits of the key that are for its models alone. */
  #underItsModels(request: ReservationRequest): ReservationRequest {
    const { principal, model, names = [] } = request;
    if (principal.modelScopes === undefined) return request;
    return { ...request, principal: this.underModels(principal, [model, ...names]) };
  }

  keptOf(as: SpentAs): Promise<ReadonlySet<string>> {
    return this.#parts.budgets.keptOf(as);
  }

  async forget(as: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#parts.budgets.forget(as, within);
  }

  async pass(from: SpentAs, to: SpentAs, within?: Store["db"]): Promise<void> {
    await this.#parts.budgets.pass(from, to, within);
  }

  readonly lowering: Budgets["lowering"] = (work) => this.#parts.budgets.lowering(work);

  async close(): Promise<void> {
    await this.#parts.budgets.close();
    await this.#parts.counters.close();
  }

  /** Takes shares of all limits and budgets, or waits while calls that run hold what is left of a budget. */
  async #take(
    id: string,
    claims: readonly Claim[],
    request: ReservationRequest,
  ): Promise<{ standings: readonly Standing[]; shares: readonly BudgetClaim[] }> {
    const { counters } = this.#parts;
    const { signal, mustFit = false, isElsewhere = false } = request;
    let shares = await this.#shares(request, Date.now());
    const deadline = performance.now() + MAX_WAIT;
    for (let pause = LOOK_AGAIN_AFTER; ; pause = Math.min(pause * 1.2, MAX_LOOK_AGAIN_AFTER)) {
      if (signal?.aborted === true) throw callAborted(signal.reason);
      const now = Date.now();
      if (shares.some(({ windowEnd }) => windowEnd !== undefined && windowEnd <= now))
        shares = await this.#shares(request, now);
      let standings: readonly Standing[] = [];
      if (claims.length > 0) {
        const result = await counters.claim(id, claims);
        if (!result.taken) throw limitError(claims[result.refused]!, result.standing, result.byShare);
        ({ standings } = result);
      }
      if (shares.length === 0) return { standings, shares };
      try {
        const answer = await this.#whileAway(signal, () => this.#parts.budgets.claim(id, shares, mustFit));
        if (answer.taken) return { standings, shares };
        if ("endedBy" in answer) {
          // By another clock than this process's, where that one is ahead.
          shares = await this.#shares(request, Math.max(now, answer.endedBy));
        } else {
          const { refused, limit, spent, held } = answer;
          const share = { ...shares[refused]!, limit };
          if (mustFit) throw tooDear(share, Math.max(0, limit - spent - held));
          if (spent >= limit) throw noneLeft(request, share, spent);
          if (isElsewhere || performance.now() > deadline) throw budgetHeld(share);
        }
      } catch (error) {
        await counters.finish(id, claims, undefined);
        throw error;
      }
      // What waits holds nothing back from others.
      await counters.finish(id, claims, undefined);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /**
   * The shares that a call asks for in the windows of a moment.
   * @throws GatewayError 402 for a budget of nothing, 429 for one of a deployment
   */
  async #shares(request: ReservationRequest, at: number): Promise<readonly BudgetClaim[]> {
    const { deployment, principal, estimatedCost, signal } = request;
    const { rollovers, timezone } = this.#parts;
    const shares: BudgetClaim[] = [];
    const scopes = deployment === undefined ? scopesOf(principal) : (deployment.budgets ?? []);
    for (const { owner, name, limits, isOperators } of scopes) {
      const limit = budgetAt(limits, at);
      if (limit === undefined) continue;
      const window = budgetWindow(limits, at, timezone());
      // The sums of keys without windows have a table of their own; those of other scopes begin at 0.
      const windowStart = window?.start ?? (owner === principal.keyHash ? undefined : 0);
      const share = { owner, name, limit, amount: atMost(MAX_AMOUNT, estimatedCost), windowStart };
      const rollover =
        limits.maxRollover === undefined
          ? undefined
          : await this.#whileAway(signal, () => rolloverTo(rollovers, { owner, limits, window }));
      shares.push({ ...share, isOperators, windowEnd: window?.end, rollover });
    }
    // Not even what costs nothing: a budget of nothing is how administrators shut something off.
    const none = shares.find(({ limit }) => limit <= 0);
    if (none !== undefined) throw noneLeft(request, none, 0);
    return shares;
  }

  /** @throws GatewayError 503 when the database does not answer for so long */
  async #whileAway<T>(signal: CallSignal | undefined, work: () => Promise<T>): Promise<T> {
    for (const since = performance.now(); ; ) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof BudgetsAway)) throw error;
        if (signal?.aborted === true) throw callAborted(signal.reason);
        if (performance.now() - since > MAX_AWAY) throw budgetsAway(error);
        await new Promise((resolve) => setTimeout(resolve, MAX_LOOK_AGAIN_AFTER));
      }
    }
  }
}

function noneLeft(
  { deployment, model }: ReservationRequest,
  share: BudgetClaim,
  spent: number,
): GatewayError {
  return deployment === undefined ? budgetSpent(share, spent) : deploymentSpent(share, model);
}

/** @throws BudgetsAway */
async function rolloverTo(rollovers: Rollovers, budget: RollingBudget): Promise<Rollover | undefined> {
  try {
    return await rollovers.to(budget);
  } catch (error) {
    throw new BudgetsAway("The database does not answer", { cause: error });
  }
}

/**
 * The share of a limit that a call claims, at most the whole limit. Callers choose the wanted share: in a sum with a huge
 * number the other shares are lost, and NaN would let every call pass.
 */
function atMost(limit: number, wanted: number): number {
  return wanted < limit ? wanted : limit;
}

/** Limits of a key or of a deployment. */
type Limits = {
  readonly [limit in "rpm" | "tpm" | "maxParallelRequests" | "maxBudget"]?: number | undefined;
};

function claimsOf(
  { owner, name, limits }: Omit<LimitScope, "limits"> & { limits: Limits },
  tokens: number,
): Claim[] {
  const { rpm, tpm, maxParallelRequests } = limits;
  const claims: Claim[] = [];
  if (maxParallelRequests !== undefined)
    claims.push({ kind: "parallel", owner, name, limit: maxParallelRequests });
  if (rpm !== undefined) claims.push({ kind: "requests", owner, name, limit: rpm, amount: 1 });
  if (tpm !== undefined)
    claims.push({ kind: "tokens", owner, name, limit: tpm, amount: atMost(tpm, tokens) });
  return claims;
}

function isLimited({ rpm, tpm, maxParallelRequests, maxBudget }: Limits): boolean {
  return (rpm ?? tpm ?? maxParallelRequests ?? maxBudget) !== undefined;
}
