import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Deployment } from "../src/contract/deployment.ts";
import { GatewayError } from "../src/contract/errors.ts";
import { anonymous, type KeyLimits, type Principal } from "../src/contract/principal.ts";
import type { Usage } from "../src/contract/usage.ts";
import type { Family } from "../src/contract/wire-format.ts";
import type { Limiter, Reservation } from "../src/core/limits/limiter.ts";
import { openLimiter } from "../src/core/limits/open-limiter.ts";
import { startRedis, type TestRedis } from "./support/redis.ts";
import { hasRedis } from "./support/services.ts";
import { until } from "./support/until.ts";

const quiet = pino({ level: "silent" });

function tokens(total: number): Usage {
  return { input: total, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
}

/** @param open one more limiter on the same counters, where they can be shared */
function limiterSuite(open: (spentBefore?: number) => Promise<Limiter>, shared: boolean): void {
  const limiters: Limiter[] = [];

  async function limiter(spentBefore?: number): Promise<Limiter> {
    const opened = await open(spentBefore);
    limiters.push(opened);
    return opened;
  }

  afterEach(async () => {
    await Promise.all(limiters.splice(0).map((each) => each.close()));
  });

  function caller(limits: KeyLimits): Principal {
    return { ...anonymous, keyHash: randomUUID(), limits };
  }

  async function reserve(
    on: Limiter,
    principal: Principal,
    estimatedTokens = 10,
    estimatedCost = 0,
    family: Family = "openai",
  ) {
    return on.reserve({ principal, model: "m", family, estimatedTokens, estimatedCost });
  }

  async function outcome(call: Reservation | Promise<Reservation>): Promise<number> {
    try {
      await call;
      return 200;
    } catch (error) {
      if (error instanceof GatewayError) return error.status;
      throw error;
    }
  }

  it("lets exactly as many requests a minute through as the key has, all at once or not", async () => {
    const replicas = [await limiter(), shared ? await limiter() : limiters[0]!];
    const principal = caller({ rpm: 7 });
    const calls = Array.from({ length: 40 }, (_, index) => outcome(reserve(replicas[index % 2]!, principal)));
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((status) => status === 200)).toHaveLength(7);
    expect(outcomes.filter((status) => status === 429)).toHaveLength(33);
  });

  it("says in a refusal when to come back, in every client's headers", async () => {
    const on = await limiter();
    const principal = caller({ rpm: 2 });
    const first = await reserve(on, principal);
    expect(first.headers).toMatchObject({
      "x-ratelimit-limit-requests": "2",
      "x-ratelimit-remaining-requests": "1",
    });
    const second = await reserve(on, principal, 10, 0, "anthropic");
    expect(second.headers).toMatchObject({ "anthropic-ratelimit-requests-remaining": "0" });
    expect(second.headers["anthropic-ratelimit-requests-reset"]).toMatch(/^\d{4}-.*Z$/);
    const refusal = (await reserve(on, principal).catch((error: unknown) => error)) as GatewayError;
    expect(refusal.type).toBe("rate_limit_error");
    expect(refusal.retryAfter).toBeGreaterThan(0);
    expect(refusal.retryAfter).toBeLessThanOrEqual(60);
    expect(refusal.headers).toHaveProperty("x-ratelimit-remaining-requests", "0");
    expect(refusal.headers).toHaveProperty("anthropic-ratelimit-requests-remaining", "0");
  });

  it("gives a request back that did not take place", async () => {
    const on = await limiter();
    const principal = caller({ rpm: 1 });
    (await reserve(on, principal)).release();
    await settled();
    expect(await outcome(reserve(on, principal))).toBe(200);
  });

  it("counts the tokens that were really used", async () => {
    const on = await limiter();
    const principal = caller({ tpm: 100 });
    const first = await reserve(on, principal, 90);
    expect(await outcome(reserve(on, principal, 20))).toBe(429);
    first.settle(tokens(30), 0);
    await settled();
    const second = await reserve(on, principal, 60);
    second.settle(tokens(70), 0);
    await settled();
    expect(await outcome(reserve(on, principal, 1))).toBe(429);
  });

  it("does not lock out a call whose estimate is larger than the whole limit", async () => {
    const on = await limiter();
    expect(await outcome(reserve(on, caller({ tpm: 100 }), 4096))).toBe(200);
  });

  it("holds parallel requests until they end, and counts each end once", async () => {
    const on = await limiter();
    const principal = caller({ maxParallelRequests: 2 });
    const first = await reserve(on, principal);
    await reserve(on, principal);
    expect(await outcome(reserve(on, principal))).toBe(429);
    first.settle(tokens(1), 0);
    first.settle(tokens(1), 0);
    first.release();
    await settled();
    expect(await outcome(reserve(on, principal))).toBe(200);
    expect(await outcome(reserve(on, principal))).toBe(429);
  });

  it("takes nothing of any limit when one of them refuses", async () => {
    const on = await limiter();
    const principal = caller({ rpm: 2, maxParallelRequests: 1 });
    const first = await reserve(on, principal);
    expect(await outcome(reserve(on, principal))).toBe(429);
    first.settle(tokens(1), 0);
    await settled();
    expect(await outcome(reserve(on, principal))).toBe(200);
  });

  it("refuses with 402 when the budget is spent, counting what was spent before the start", async () => {
    const on = await limiter(0.9);
    const principal = caller({ maxBudget: 1 });
    const first = await reserve(on, principal, 10, 0.05);
    first.settle(tokens(10), 0.1);
    await settled();
    const refusal = (await reserve(on, principal, 10, 0.05).catch((error: unknown) => error)) as GatewayError;
    expect(refusal.status).toBe(402);
    expect(refusal.type).toBe("budget_exceeded");
    expect(refusal.message).toContain("budget");
  });

  it("never passes a budget by more than one call, and refuses nobody below it", async () => {
    const replicas = [await limiter(), shared ? await limiter() : limiters[0]!];
    const principal = caller({ maxBudget: 1 });
    let spent = 0;
    const calls = Array.from({ length: 30 }, async (_, index) => {
      const reservation = await reserve(replicas[index % 2]!, principal, 10, 0.3);
      await settled();
      spent += 0.05;
      reservation.settle(tokens(10), 0.05);
      return 200;
    });
    const outcomes = await Promise.all(
      calls.map((call) => call.catch((error: GatewayError) => error.status)),
    );
    const allowed = outcomes.filter((status) => status === 200).length;
    expect(outcomes.filter((status) => status === 402).length).toBe(30 - allowed);
    expect(spent).toBeGreaterThan(1 - 0.051);
    expect(spent).toBeLessThan(1 + 0.051);
  });

  it("holds the limits of a deployment apart from those of the key", async () => {
    const on = await limiter();
    const principal = caller({ rpm: 100 });
    const deployment = { id: randomUUID(), rpm: 1 } as Deployment;
    const request = { principal, deployment, model: "m", estimatedTokens: 1, estimatedCost: 0 };
    expect(await outcome(on.reserve(request))).toBe(200);
    expect(await outcome(on.reserve(request))).toBe(429);
    expect(await outcome(reserve(on, principal))).toBe(200);
  });

  it("asks nothing of callers without limits", async () => {
    const on = await limiter();
    const reservation = await reserve(on, caller({}));
    expect(reservation.headers).toEqual({});
  });
}

/** Lets what was settled reach the counters. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

describe("the limiter of one process", () => {
  limiterSuite((spent = 0) => openLimiter(undefined, async () => spent, quiet), false);
});

describe.skipIf(!hasRedis)("the limiter that replicas share through Redis", () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  limiterSuite((spent = 0) => openLimiter(redis.url, async () => spent, quiet), true);
});

describe.skipIf(!hasRedis)("replicas whose Redis goes away and comes back empty", () => {
  it("stay within the budget and fail no call", async () => {
    let redis = await startRedis();
    const principal: Principal = { ...anonymous, keyHash: randomUUID(), limits: { maxBudget: 100 } };
    let billed = 0;
    const open = () => openLimiter(redis.url, async () => billed, quiet);
    // Replicas are counted when one starts: these three have others before them, so each knows of three at least.
    const earlier = [await open(), await open()];
    const replicas = [await open(), await open(), await open()];
    const outcomes = new Map<number, number>();
    const call = async (index: number): Promise<void> => {
      let status = 200;
      try {
        const estimate = { estimatedTokens: 1, estimatedCost: 1 };
        const held = await replicas[index % 3]!.reserve({
          principal,
          model: "m",
          family: "openai",
          ...estimate,
        });
        billed += 1;
        held.settle(tokens(1), 1);
      } catch (error) {
        status = error instanceof GatewayError ? error.status : 500;
      }
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    };
    try {
      for (let index = 0; index < 30; index++) await call(index);
      expect(billed).toBe(30);
      await redis.stop();
      for (let index = 0; index < 300; index++) await call(index);
      const without = billed;
      expect(without).toBeGreaterThan(30);
      expect(without).toBeLessThanOrEqual(100 + 3);
      redis = await redis.startAgain();
      // What the shares left is spent once Redis is back, and no more than that.
      await until(async () => {
        for (let index = 0; index < 3; index++) await call(index);
        return billed >= 100;
      });
      for (let index = 0; index < 60; index++) await call(index);
      expect(billed).toBeLessThanOrEqual(100 + 3);
      expect([...outcomes.keys()].sort()).toEqual([200, 402]);
    } finally {
      await Promise.all([...replicas, ...earlier].map((replica) => replica.close()));
      await redis.stop();
    }
  });
});
