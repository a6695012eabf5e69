import { randomUUID } from "node:crypto";
import { describeError } from "../../../platform/log/describe-error.ts";
import type { Logger } from "../../../platform/log/logger.ts";
import {
  type ActualUse,
  type Claim,
  type ClaimResult,
  type Counters,
  MINUTE,
  type Standing,
} from "../counters.ts";
import { MemoryCounters, type MinuteClaim, nameOf, SWEEP_ABOVE } from "../memory-counters.ts";
import type { RedisCounters } from "./redis-counters.ts";

/** Milliseconds between two looks whether Redis is back, and between two counts of the replicas. */
const PROBE_MS = 500;
const COUNT_MS = 1000;
/** Milliseconds after which a replica that has not shown itself does not count. */
const REPLICA_LEASE = 15_000;

/** What Redis answers that understood a command and refuses it, however often it is asked. */
const DEFECT = /^(ERR|NOSCRIPT|WRONGTYPE)\b/;

/** What Redis is told later at the same time. */
const TOLD_TOGETHER = 100;

/** A call that took its share here. */
interface Taken {
  readonly claims: readonly Claim[];
  /** The claims as they were shared out. */
  readonly shares: readonly Claim[];
  /** Redis knows of it, or will. */
  isTold: boolean;
}

/** How a minute stood when Redis last told of it. */
interface Seen {
  readonly remaining: number;
  readonly startedAt: number;
}

/**
 * The shared counters while Redis answers. While it does not, limits stay closed and no call fails for it: this replica
 * goes on with its share of them, which is the limit, or what was left of it, divided by the replicas that were last seen. What was used meanwhile
 * it tells Redis before others count there again. The same goes for the one call of which Redis refuses the script, which is a defect and logged as one each time: Redis is not away then.
 */
export class StandbyCounters implements Counters {
  readonly #shared: RedisCounters;
  #local = new MemoryCounters();
  readonly #logger: Logger;
  /** By counter; of some minutes that are over, too. */
  readonly #seen = new Map<string, Seen>();
  readonly #taken = new Map<string, Taken>();
  /** Ends of calls, claims to be withdrawn, and what was used here, that Redis has not heard of; each may be told twice. */
  readonly #unheard: (() => Promise<void>)[] = [];
  /** The last of it is being told: who comes now is counted there when that is done. */
  #comesBack: Promise<void> | undefined;
  #replicas = 1;
  #isAway = false;
  #isClosed = false;
  readonly #counting: NodeJS.Timeout;
  #probing: NodeJS.Timeout | undefined;

  private constructor(shared: RedisCounters, logger: Logger) {
    this.#shared = shared;
    this.#logger = logger;
    this.#counting = setInterval(() => void this.#count(), COUNT_MS).unref();
    shared.onLost(() => this.#goesAway(new Error("The connection to Redis is lost")));
  }

  /** Waits for the first answer of Redis, but not for a Redis that is away. */
  static async open(shared: RedisCounters, logger: Logger): Promise<StandbyCounters> {
    const counters = new StandbyCounters(shared, logger);
    await counters.#count();
    return counters;
  }

  async claim(id: string, claims: readonly Claim[]): Promise<ClaimResult> {
    if (this.#comesBack !== undefined) await this.#comesBack;
    if (!this.#isAway) {
      try {
        const result = await this.#shared.claim(id, claims);
        this.#remember(claims, result);
        return result;
      } catch (error) {
        if (!this.#isDefect(error)) {
          this.#goesAway(error);
          // It may have been taken all the same, and nobody would end it.
          this.#unheard.push(() => this.#shared.withdraw(id, claims));
        }
      }
    }
    for (const claim of claims) if (claim.kind !== "parallel") this.#goOn(claim);
    const shares = claims.map((claim) => this.#shareOf(claim));
    const result = await this.#local.claim(id, shares);
    if (result.taken) this.#taken.set(id, { claims, shares, isTold: false });
    return result;
  }

  async finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void> {
    if (this.#comesBack !== undefined) await this.#comesBack;
    const taken = this.#taken.get(id);
    if (taken !== undefined) {
      this.#taken.delete(id);
      if (taken.isTold) this.#unheard.push(() => this.#shared.leave(id, claims));
      return this.#local.finish(id, taken.shares, use);
    }
    if (!this.#isAway) {
      try {
        return await this.#shared.finish(id, claims, use);
      } catch (error) {
        if (this.#isDefect(error)) return;
        this.#goesAway(error);
      }
    }
    this.#unheard.push(() => this.#shared.finish(id, claims, use));
  }

  async close(): Promise<void> {
    clearInterval(this.#counting);
    clearTimeout(this.#probing);
    this.#isClosed = true;
    await this.#local.close();
    await this.#shared.close();
  }

  #remember(claims: readonly Claim[], result: ClaimResult): void {
    const now = Date.now();
    const remember = (claim: Claim | undefined, standing: Standing | undefined): void => {
      if (claim === undefined || standing === undefined || claim.kind === "parallel") return;
      const { remaining, resetIn } = standing;
      this.#seen.set(nameOf(claim), { remaining, startedAt: now + resetIn - MINUTE });
    };
    if (result.taken) for (const [at, claim] of claims.entries()) remember(claim, result.standings[at]);
    else if (!result.byShare) remember(claims[result.refused], result.standing);
    if (this.#seen.size > SWEEP_ABOVE) this.#forget(now);
  }

  /** What is over; where that is little, all, so that not every call looks at all of them. */
  #forget(now: number): void {
    for (const [name, { startedAt }] of this.#seen) if (now >= startedAt + MINUTE) this.#seen.delete(name);
    if (this.#seen.size > SWEEP_ABOVE / 2) this.#seen.clear();
  }

  /** A minute that has begun goes on from what Redis last told of it. */
  #goOn(claim: MinuteClaim): void {
    const seen = this.#seen.get(nameOf(claim));
    if (seen === undefined || Date.now() >= seen.startedAt + MINUTE) return;
    // The limit may be another one by now.
    const used = Math.max(0, this.#own(claim.limit) - this.#own(seen.remaining));
    this.#local.goOn(claim, used, seen.startedAt);
  }

  #own(limit: number): number {
    return limit <= 0 ? limit : Math.max(1, Math.floor(limit / this.#replicas));
  }

  #shareOf(claim: Claim): Claim {
    const limit = this.#own(claim.limit);
    if (claim.kind === "parallel" || claim.share === undefined) return { ...claim, limit };
    const { share } = claim;
    return {
      ...claim,
      limit,
      share: { ...share, limit: this.#own(share.limit), above: share.above / this.#replicas },
    };
  }

  async #count(): Promise<void> {
    if (this.#isAway) return;
    try {
      this.#replicas = Math.max(1, await this.#shared.countReplicas(REPLICA_LEASE));
    } catch (error) {
      if (!this.#isDefect(error)) this.#goesAway(error);
    }
  }

  #isDefect(error: unknown): boolean {
    const isDefect = error instanceof Error && error.name === "ReplyError" && DEFECT.test(error.message);
    if (isDefect)
      this.#logger.error({ error: describeError(error) }, "Redis refuses a script of the limits: a defect");
    return isDefect;
  }

  #goesAway(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = true;
    this.#logger.error(
      { replicas: this.#replicas, error: describeError(error) },
      "Redis is away: limits go on with this replica's share",
    );
    this.#probeLater();
  }

  /** One look after the other: a server that is slow must not be looked for twice at once. */
  #probeLater(): void {
    this.#probing = setTimeout(() => void this.#probe(), PROBE_MS).unref();
  }

  async #probe(): Promise<void> {
    try {
      // Not a mere sign of life, which a Redis that takes nothing gives too.
      const replicas = await this.#shared.countReplicas(REPLICA_LEASE);
      this.#noteUse();
      await this.#tell();
      this.#comesBack = this.#comeBack(replicas).catch(() => undefined);
      await this.#comesBack;
    } catch {
      // Looked for again below.
    }
    this.#comesBack = undefined;
    if (this.#isAway && !this.#isClosed) this.#probeLater();
  }

  /** Tells what is left, which changes no more: calls wait. */
  async #comeBack(replicas: number): Promise<void> {
    this.#noteUse();
    for (const [id, taken] of this.#taken) {
      if (taken.isTold) continue;
      taken.isTold = true;
      this.#unheard.push(async () => {
        if (this.#taken.get(id) === taken) await this.#shared.adopt(id, taken.claims);
      });
    }
    await this.#tell();
    await this.#shared.renew();
    this.#taken.clear();
    this.#local = new MemoryCounters();
    this.#replicas = Math.max(1, replicas);
    this.#isAway = false;
    this.#logger.info("Redis is back: limits are shared again");
  }

  #noteUse(): void {
    for (const use of this.#local.takeUntold(Date.now())) {
      const id = randomUUID();
      this.#unheard.push(() => this.#shared.tell(id, use));
    }
  }

  async #tell(): Promise<void> {
    while (this.#unheard.length > 0) {
      const some = this.#unheard.slice(0, TOLD_TOGETHER);
      // One that Redis refuses would keep it away for good.
      const told = some.map((tell) =>
        tell().catch((error: unknown) => {
          if (!this.#isDefect(error)) throw error;
        }),
      );
      await Promise.all(told);
      this.#unheard.splice(0, some.length);
    }
  }
}
