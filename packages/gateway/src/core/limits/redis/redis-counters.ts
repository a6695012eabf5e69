import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import {
  type ActualUse,
  type Claim,
  type ClaimResult,
  type Counters,
  HOLD_LEASE,
  MINUTE,
  RENEW_EVERY,
  type Share,
} from "../counters.ts";
import type { UntoldUse } from "../memory-counters.ts";
import { ADOPT_SCRIPT, CLAIM_SCRIPT, FINISH_SCRIPT, RENEW_SCRIPT, TELL_SCRIPT } from "./scripts.ts";

/** The processes on this Redis, by the time at which they last showed themselves. */
const REPLICAS_KEY = "portico:replicas";

/** What a call of this process holds. */
interface Held {
  readonly claims: readonly Claim[];
  /** Its end is on its way. */
  isEnding: boolean;
}

/** Counters that all replicas share. Each operation is one script, so that no two replicas take the same share. */
export class RedisCounters implements Counters {
  readonly #redis: Redis;
  readonly #replica = randomUUID();
  readonly #held = new Map<string, Held>();
  readonly #renewing: NodeJS.Timeout;

  constructor(redis: Redis) {
    this.#redis = redis;
    // A server that is away is somebody else's affair; what is held is renewed when it is back.
    this.#renewing = setInterval(() => void this.renew().catch(() => undefined), RENEW_EVERY).unref();
  }

  async claim(id: string, claims: readonly Claim[]): Promise<ClaimResult> {
    const values = claims.flatMap((claim) => {
      const share = shareIn(claim);
      return [
        ...[claim.kind, claim.limit, amountOf(claim)],
        ...[share === undefined ? 0 : 1, share?.priority ?? "", share?.limit ?? 0, share?.above ?? 0],
      ];
    });
    const answer = (await this.#redis.eval(
      CLAIM_SCRIPT,
      claims.length,
      ...claims.map(keyOf),
      id,
      HOLD_LEASE,
      MINUTE,
      ...values,
    )) as (number | string)[];
    if (answer[0] === 0) {
      const [, index, remaining, resetIn, byShare] = answer.map(Number) as [0, number, number, number, 0 | 1];
      return { taken: false, refused: index - 1, standing: { remaining, resetIn }, byShare: byShare === 1 };
    }
    this.#held.set(id, { claims, isEnding: false });
    return {
      taken: true,
      standings: claims.map((_, index) => ({
        remaining: Number(answer[1 + index * 2]),
        resetIn: Number(answer[2 + index * 2]),
      })),
    };
  }

  async finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void> {
    const held = this.#held.get(id);
    if (held === undefined) return;
    held.isEnding = true;
    await this.#end(id, claims, use);
    // Only now: an end that did not get through is told again.
    this.#held.delete(id);
  }

  /** Gives back what a claim may have taken whose answer did not come. */
  withdraw(id: string, claims: readonly Claim[]): Promise<void> {
    return this.#end(id, claims, undefined);
  }

  /**
   * Counts what was used while nobody could be told. However often it is told, it counts once.
   * @param id of this telling
   */
  async tell(id: string, { kind, owner, before, used, reserved, rest, shares }: UntoldUse): Promise<void> {
    const ofShares = shares.flatMap((share) => [share.priority, share.used, share.reserved]);
    const key = keyOf({ kind, owner });
    await this.#redis.eval(TELL_SCRIPT, 1, key, id, before, used, reserved, rest, ...ofShares);
  }

  /** Takes a call over that began while nobody could be told, and whose share of minutes was told already. */
  async adopt(id: string, claims: readonly Claim[]): Promise<void> {
    this.#held.set(id, { claims, isEnding: false });
    const kinds = claims.map(({ kind }) => kind);
    await this.#redis.eval(ADOPT_SCRIPT, claims.length, ...claims.map(keyOf), id, HOLD_LEASE, ...kinds);
  }

  /** The end of such a call that was counted elsewhere all the same. */
  async leave(id: string, claims: readonly Claim[]): Promise<void> {
    const places = claims.filter(({ kind }) => kind === "parallel");
    if (places.length > 0) await this.#end(id, places, undefined);
    this.#held.delete(id);
  }

  /** However often it is told, it counts once. */
  async #end(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void> {
    const values = claims.flatMap((claim) => [
      claim.kind,
      amountOf(claim),
      actualOf(claim, use),
      ...[shareIn(claim) === undefined ? 0 : 1, shareIn(claim)?.priority ?? ""],
    ]);
    await this.#redis.eval(FINISH_SCRIPT, claims.length, ...claims.map(keyOf), id, ...values);
  }

  /** Shows that the calls of this process go on; a server that came back empty learns of them anew. */
  async renew(): Promise<void> {
    const owners = new Map<string, string[]>();
    for (const [id, { claims, isEnding }] of this.#held) {
      if (isEnding) continue;
      for (const claim of claims) {
        if (claim.kind !== "parallel") continue;
        const calls = owners.get(keyOf(claim)) ?? [];
        if (calls.length === 0) owners.set(keyOf(claim), calls);
        calls.push(id);
      }
    }
    await Promise.all(
      [...owners].map(([key, calls]) => this.#redis.eval(RENEW_SCRIPT, 1, key, HOLD_LEASE, ...calls)),
    );
  }

  /** Calls back each time that the connection is lost. */
  onLost(lost: () => void): void {
    this.#redis.on("close", lost);
  }

  /**
   * How many processes showed themselves in the last milliseconds, this one among them.
   * @throws also where Redis answers and takes nothing, as one that is full or follows another one does
   */
  async countReplicas(withinMs: number): Promise<number> {
    const now = Date.now();
    const answers = await this.#redis
      .multi()
      .zadd(REPLICAS_KEY, now, this.#replica)
      .zremrangebyscore(REPLICAS_KEY, 0, now - withinMs)
      .zcard(REPLICAS_KEY)
      .exec();
    return Number(answers?.[2]?.[1] ?? 1);
  }

  async close(): Promise<void> {
    clearInterval(this.#renewing);
    // An orderly end needs an answer, which a server that is away does not give.
    if (this.#redis.status !== "ready") return this.#redis.disconnect();
    await this.#redis.zrem(REPLICAS_KEY, this.#replica).catch(() => 0);
    await this.#redis.quit().catch(() => this.#redis.disconnect());
  }
}

/** The braces keep an owner's keys on one node of a Redis cluster. */
function keyOf(claim: Pick<Claim, "kind" | "owner">): string {
  const owner = `{${claim.owner}}`;
  return claim.kind === "parallel" ? `portico:p:${owner}` : `portico:m:${owner}:${claim.kind}`;
}

function shareIn(claim: Claim): Share | undefined {
  return claim.kind === "parallel" ? undefined : claim.share;
}

function amountOf(claim: Claim): number {
  return claim.kind === "parallel" ? 1 : claim.amount;
}

function actualOf(claim: Claim, use: ActualUse | undefined): number {
  if (use === undefined || claim.kind === "parallel") return 0;
  return claim.kind === "requests" ? claim.amount : use.tokens;
}
