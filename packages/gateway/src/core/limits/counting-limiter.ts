import { randomUUID } from "node:crypto";
import type { Deployment } from "../../contract/deployment.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Usage } from "../../contract/usage.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { callAborted } from "../../platform/transport/failures.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import { budgetWindow } from "../ledger/budget-window.ts";
import type { Claim, Counters, Standing } from "./counters.ts";
import { budgetHeld, limitError, tooDear } from "./limit-error.ts";
import type { Limiter, Reservation, ReservationRequest } from "./limiter.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";

/** What a key has spent already: in the budget window that began at `windowStart`, or in all. */
export type SpentBefore = (keyHash: string, windowStart: number | undefined) => Promise<number>;

/**
 * Milliseconds that a call waits for others to end when the budget has room for it but they hold it for their worst
 * case, which is far from the usual one: nobody is refused while budget is left. Then the caller may try again.
 */
const MAX_WAIT = 600_000;
/** Milliseconds between two looks, at first and at most. */
const LOOK_AGAIN_AFTER = 25;
const MAX_LOOK_AGAIN_AFTER = 500;

/** The limiter on counters, in this process or shared. */
export class CountingLimiter implements Limiter {
  readonly #counters: Counters;
  readonly #spentBefore: SpentBefore;
  readonly #logger: Logger;
  /** Budget windows whose earlier spend was read from the store, with their amounts at that time. */
  readonly #seeds = new Map<
    string,
    { readonly window: string; readonly spent: number; readonly epoch: number | undefined }
  >();

  constructor(counters: Counters, spentBefore: SpentBefore, logger: Logger) {
    this.#counters = counters;
    this.#spentBefore = spentBefore;
    this.#logger = logger;
  }

  reserve(request: ReservationRequest): Reservation | Promise<Reservation> {
    return isLimited(request.deployment ?? request.principal.limits) ? this.#reserve(request) : unlimited;
  }

  async #reserve(request: ReservationRequest): Promise<Reservation> {
    const claims =
      request.deployment === undefined
        ? await this.#keyClaims(request)
        : deploymentClaims(request.deployment, request.estimatedTokens);
    if (request.mustFit === true) await this.#requireRoom(claims, request.estimatedCost);
    const whose = request.deployment === undefined ? "this api key" : `the model ${request.model}`;
    const id = randomUUID();
    const standings = await this.#claim(id, claims, whose, request.signal);
    const { family } = request;
    const headers = family === undefined ? {} : rateLimitHeaders(claims, standings, family, Date.now());
    return new CountedReservation(this.#counters, this.#logger, id, claims, headers);
  }

  close(): Promise<void> {
    return this.#counters.close();
  }

  /** @throws GatewayError 402 where the budget has not got that much left */
  async #requireRoom(claims: readonly Claim[], cost: number): Promise<void> {
    const budget = claims.find((claim) => claim.kind === "budget");
    if (budget === undefined) return;
    const id = randomUUID();
    const result = await this.#counters.claim(id, [{ ...budget, amount: 0 }]);
    const remaining = result.taken ? result.standings[0]!.remaining : 0;
    await this.#counters.finish(id, [{ ...budget, amount: 0 }], undefined);
    if (cost > remaining) throw tooDear(cost, remaining);
  }

  async #claim(
    id: string,
    claims: readonly Claim[],
    whose: string,
    signal: CallSignal | undefined,
  ): Promise<readonly Standing[]> {
    const deadline = performance.now() + MAX_WAIT;
    for (let pause = LOOK_AGAIN_AFTER; ; pause = Math.min(pause * 1.2, MAX_LOOK_AGAIN_AFTER)) {
      if (signal?.aborted === true) throw callAborted(signal.reason);
      const result = await this.#counters.claim(id, claims);
      if (result.taken) return result.standings;
      const claim = claims[result.refused]!;
      if (claim.kind !== "budget" || !result.mayFree) throw limitError(claim, result.standing, whose);
      if (performance.now() > deadline) throw budgetHeld(whose);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  async #keyClaims({ principal, estimatedTokens, estimatedCost }: ReservationRequest): Promise<Claim[]> {
    const { keyHash: owner, limits } = principal;
    const claims: Claim[] = [];
    if (limits.maxParallelRequests !== undefined)
      claims.push({ kind: "parallel", owner, limit: limits.maxParallelRequests });
    if (limits.rpm !== undefined) claims.push({ kind: "requests", owner, limit: limits.rpm, amount: 1 });
    if (limits.tpm !== undefined)
      claims.push({ kind: "tokens", owner, limit: limits.tpm, amount: estimatedTokens });
    if (limits.maxBudget !== undefined) claims.push(await this.#budgetClaim(principal, estimatedCost));
    return claims;
  }

  async #budgetClaim({ keyHash, limits }: Principal, amount: number): Promise<Claim> {
    const window = budgetWindow(limits, Date.now());
    const name = window === undefined ? "all" : String(window.start);
    let seed = this.#seeds.get(keyHash);
    const { epoch } = this.#counters;
    if (seed?.window !== name || seed.epoch !== epoch) {
      seed = { window: name, spent: await this.#spentBefore(keyHash, window?.start), epoch };
      this.#seeds.set(keyHash, seed);
    }
    return {
      kind: "budget",
      owner: keyHash,
      limit: limits.maxBudget!,
      amount,
      window: name,
      endsAt: window?.end,
      spentBefore: seed.spent,
    };
  }
}

function deploymentClaims(deployment: Deployment, estimatedTokens: number): Claim[] {
  const owner = `deployment:${deployment.id}`;
  const claims: Claim[] = [];
  if (deployment.maxParallelRequests !== undefined)
    claims.push({ kind: "parallel", owner, limit: deployment.maxParallelRequests });
  if (deployment.rpm !== undefined)
    claims.push({ kind: "requests", owner, limit: deployment.rpm, amount: 1 });
  if (deployment.tpm !== undefined)
    claims.push({ kind: "tokens", owner, limit: deployment.tpm, amount: estimatedTokens });
  return claims;
}

/** Limits of a key or of a deployment. */
type Limits = {
  readonly [limit in "rpm" | "tpm" | "maxParallelRequests" | "maxBudget"]?: number | undefined;
};

function isLimited({ rpm, tpm, maxParallelRequests, maxBudget }: Limits): boolean {
  return (rpm ?? tpm ?? maxParallelRequests ?? maxBudget) !== undefined;
}

/** The reservation of a caller without limits. */
const unlimited: Reservation = {
  settle: () => {},
  release: () => {},
  headers: {},
};

class CountedReservation implements Reservation {
  readonly #counters: Counters;
  readonly #logger: Logger;
  readonly #id: string;
  readonly #claims: readonly Claim[];
  readonly headers: Readonly<Record<string, string>>;
  #open = true;

  constructor(
    counters: Counters,
    logger: Logger,
    id: string,
    claims: readonly Claim[],
    headers: Readonly<Record<string, string>>,
  ) {
    this.#counters = counters;
    this.#logger = logger;
    this.#id = id;
    this.#claims = claims;
    this.headers = headers;
  }

  settle(usage: Usage | undefined, cost: number | undefined): void {
    this.#finish({ tokens: usage === undefined ? 0 : usage.input + usage.output, cost: cost ?? 0 });
  }

  release(): void {
    this.#finish(undefined);
  }

  #finish(use: { tokens: number; cost: number } | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    this.#counters
      .finish(this.#id, this.#claims, use)
      .catch((error: unknown) =>
        this.#logger.error({ error: describeError(error) }, "a call's share of its limits was not returned"),
      );
  }
}
