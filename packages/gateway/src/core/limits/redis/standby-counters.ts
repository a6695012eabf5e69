import { describeError } from "../../../platform/log/describe-error.ts";
import type { Logger } from "../../../platform/log/logger.ts";
import type { ActualUse, Claim, ClaimResult, Counters } from "../counters.ts";
import { MemoryCounters } from "../memory-counters.ts";
import type { RedisCounters } from "./redis-counters.ts";

/** Milliseconds between two looks whether Redis is back, and between two counts of the replicas. */
const PROBE_MS = 500;
const COUNT_MS = 5000;
/** Budgets whose last standing is remembered; the oldest are forgotten first. */
const MAX_STANDINGS = 10_000;

/**
 * The shared counters while Redis answers, and this replica's share of what was left while it does not: limits stay
 * closed and no call fails for it. A share is the last known rest of a budget, or the limit of a minute, divided by the
 * replicas that were last seen. When Redis is back, budgets are seeded anew from the store, which has what calls used
 * meanwhile.
 */
export class StandbyCounters implements Counters {
  /** Rises when Redis comes back, perhaps empty. */
  epoch = 0;
  readonly #shared: RedisCounters;
  readonly #local = new MemoryCounters();
  readonly #logger: Logger;
  /** What was left of a budget when Redis was last asked. */
  readonly #standings = new Map<string, number>();
  /** Calls that took their share here, with the claims as they were shared out. */
  readonly #taken = new Map<string, readonly Claim[]>();
  /** Ends of calls that Redis has not heard of. */
  #unheard: (() => Promise<void>)[] = [];
  #replicas = 1;
  #isAway = false;
  #isClosed = false;
  readonly #counting: NodeJS.Timeout;
  #probing: NodeJS.Timeout | undefined;

  private constructor(shared: RedisCounters, logger: Logger) {
    this.#shared = shared;
    this.#logger = logger;
    this.#counting = setInterval(() => void this.#count(), COUNT_MS).unref();
  }

  /** Waits for the first answer of Redis, but not for a Redis that is away. */
  static async open(shared: RedisCounters, logger: Logger): Promise<StandbyCounters> {
    const counters = new StandbyCounters(shared, logger);
    await counters.#count();
    return counters;
  }

  async claim(id: string, claims: readonly Claim[]): Promise<ClaimResult> {
    if (!this.#isAway) {
      try {
        const result = await this.#shared.claim(id, claims);
        this.#note(claims, result);
        return result;
      } catch (error) {
        this.#goesAway(error);
      }
    }
    const shares = claims.map((claim) => this.#shareOf(claim));
    const result = await this.#local.claim(id, shares);
    if (result.taken) this.#taken.set(id, shares);
    return result;
  }

  async finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void> {
    const shares = this.#taken.get(id);
    if (shares !== undefined) {
      this.#taken.delete(id);
      await this.#local.finish(id, shares, use);
      // Ended after Redis came back: a seed that was read since then does not have it.
      if (!this.#isAway) this.epoch += 1;
      return;
    }
    if (!this.#isAway) {
      try {
        return await this.#shared.finish(id, claims, use);
      } catch (error) {
        this.#goesAway(error);
      }
    }
    // The call's share is given back later; what it used comes with the new seed, and must not count twice.
    this.#unheard.push(() => this.#shared.finish(id, claims, undefined));
  }

  async close(): Promise<void> {
    clearInterval(this.#counting);
    clearTimeout(this.#probing);
    this.#isClosed = true;
    await this.#local.close();
    await this.#shared.close();
  }

  #shareOf(claim: Claim): Claim {
    if (claim.kind !== "budget")
      return { ...claim, limit: Math.max(1, Math.floor(claim.limit / this.#replicas)) };
    const left = this.#standings.get(nameOf(claim)) ?? claim.limit - claim.spentBefore;
    // Under a name of its own: each time that Redis is away the share begins anew.
    const window = `${claim.window} without Redis ${this.epoch}`;
    return { ...claim, limit: Math.max(0, left) / this.#replicas, spentBefore: 0, window };
  }

  #note(claims: readonly Claim[], result: ClaimResult): void {
    for (const [index, claim] of claims.entries()) {
      if (claim.kind !== "budget") continue;
      if (!result.taken && result.refused !== index) continue;
      const { remaining } = result.taken ? result.standings[index]! : result.standing;
      const name = nameOf(claim);
      this.#standings.delete(name);
      this.#standings.set(name, remaining);
      if (this.#standings.size > MAX_STANDINGS) this.#standings.delete(this.#standings.keys().next().value!);
    }
  }

  async #count(): Promise<void> {
    if (this.#isAway) return;
    try {
      this.#replicas = Math.max(1, await this.#shared.countReplicas(3 * COUNT_MS));
    } catch (error) {
      this.#goesAway(error);
    }
  }

  #goesAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#logger.error(
      { replicas: this.#replicas, error: describeError(error) },
      "Redis is away: limits and budgets go on with this replica's share of what was left",
    );
    this.#probeLater();
  }

  /** One look after the other: a server that is slow must not be looked for twice at once. */
  #probeLater(): void {
    this.#probing = setTimeout(() => void this.#probe(), PROBE_MS).unref();
  }

  async #probe(): Promise<void> {
    try {
      await this.#shared.ping();
      for (let end = this.#unheard[0]; end !== undefined; end = this.#unheard[0]) {
        await end();
        this.#unheard.shift();
      }
    } catch {
      if (!this.#isClosed) this.#probeLater();
      return;
    }
    this.#isAway = false;
    this.epoch += 1;
    this.#logger.info("Redis is back: limits and budgets are shared again");
    await this.#count();
  }
}

function nameOf({ owner, window }: Claim & { kind: "budget" }): string {
  return `${owner} ${window}`;
}
