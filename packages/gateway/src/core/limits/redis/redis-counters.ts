import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import {
  type ActualUse,
  CLAIM_LEASE,
  type Claim,
  type ClaimResult,
  type Counters,
  MINUTE,
} from "../counters.ts";
import { CLAIM_SCRIPT, FINISH_SCRIPT } from "./scripts.ts";

/** The processes on this Redis, by the time at which they last showed themselves. */
const REPLICAS_KEY = "portico:replicas";

/** Counters that all replicas share. Each operation is one script, so that no two replicas take the same share. */
export class RedisCounters implements Counters {
  readonly #redis: Redis;
  readonly #replica = randomUUID();
  /** The minutes in which running calls took their shares. */
  readonly #started = new Map<string, string[]>();

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async claim(id: string, claims: readonly Claim[]): Promise<ClaimResult> {
    const keys = claims.flatMap(keysOf);
    const values = claims.flatMap((claim) => [
      claim.kind,
      claim.limit,
      amountOf(claim),
      claim.kind === "budget" ? (claim.endsAt ?? 0) : 0,
      claim.kind === "budget" ? claim.spentBefore : 0,
    ]);
    const answer = (await this.#redis.eval(
      CLAIM_SCRIPT,
      keys.length,
      ...keys,
      id,
      CLAIM_LEASE,
      MINUTE,
      ...values,
    )) as (number | string)[];
    if (answer[0] === 0) {
      const [, index, remaining, resetIn, mayFree] = answer.map(Number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      return { taken: false, refused: index - 1, standing: { remaining, resetIn }, mayFree: mayFree === 1 };
    }
    const parts = claims.map((_, index) => answer.slice(1 + index * 3, 4 + index * 3));
    this.#started.set(
      id,
      parts.map(([started]) => String(started)),
    );
    return {
      taken: true,
      standings: parts.map(([, remaining, resetIn]) => ({
        remaining: Number(remaining),
        resetIn: Number(resetIn),
      })),
    };
  }

  async finish(id: string, claims: readonly Claim[], use: ActualUse | undefined): Promise<void> {
    const started = this.#started.get(id);
    if (started === undefined) return;
    const keys = claims.flatMap(keysOf);
    const values = claims.flatMap((claim, index) => [
      claim.kind,
      amountOf(claim),
      started[index]!,
      actualOf(claim, use),
    ]);
    await this.#redis.eval(FINISH_SCRIPT, keys.length, ...keys, id, ...values);
    // Only now: an end that did not get through is told again.
    this.#started.delete(id);
  }

  /** How many processes showed themselves in the last milliseconds, this one among them. */
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

  async ping(): Promise<void> {
    await this.#redis.ping();
  }

  async close(): Promise<void> {
    // An orderly end needs an answer, which a server that is away does not give.
    if (this.#redis.status !== "ready") return this.#redis.disconnect();
    await this.#redis.zrem(REPLICAS_KEY, this.#replica).catch(() => 0);
    await this.#redis.quit().catch(() => this.#redis.disconnect());
  }
}

/** The braces keep an owner's keys on one node of a Redis cluster. */
function keysOf(claim: Claim): [string, string] {
  const owner = `{${claim.owner}}`;
  if (claim.kind === "parallel") return [`portico:p:${owner}`, `portico:r:${owner}:parallel`];
  if (claim.kind === "budget")
    return [`portico:b:${owner}:${claim.window}`, `portico:r:${owner}:budget:${claim.window}`];
  return [`portico:m:${owner}:${claim.kind}`, `portico:m:${owner}:${claim.kind}`];
}

function amountOf(claim: Claim): number {
  return claim.kind === "parallel" ? 1 : claim.amount;
}

function actualOf(claim: Claim, use: ActualUse | undefined): number {
  if (use === undefined || claim.kind === "parallel") return 0;
  if (claim.kind === "budget") return use.cost;
  return claim.kind === "requests" ? claim.amount : use.tokens;
}
