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
import { openPostgresStore } from "../src/platform/store/open-store.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { startRedis, type TestRedis } from "./support/redis.ts";
import { hasPostgres, hasRedis } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";

const quiet = pino({ level: "silent" });

function tokens(total: number): Usage {
  return { input: total, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
}

/**
 * @param open one more limiter on the same counters, where they can be shared
 * @param spend has a key spend something before the limiter counts
 */
function limiterSuite(
  open: () => Promise<Limiter>,
  spend: (keyHash: string, amount: number) => Promise<void>,
  shared: boolean,
): void {
  const limiters: Limiter[] = [];

  async function limiter(): Promise<Limiter> {
    const opened = await open();
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

  it.each([{ rpm: 0 }, { tpm: 0 }, { maxParallelRequests: 0 }])(
    "lets nobody through with %j",
    async (limits) => {
      const on = await limiter();
      const principal = caller(limits);
      for (const estimated of [0, 10])
        expect(await outcome(reserve(on, principal, estimated)), `${estimated} tokens`).toBe(429);
    },
  );

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

  it.each([1e30, Number.MAX_VALUE, Number.POSITIVE_INFINITY, Number.NaN])(
    "keeps what was used beside a call that claims %d",
    async (huge) => {
      const on = await limiter();
      const principal = caller({ tpm: 100, maxBudget: 1 });
      (await reserve(on, principal, 50)).settle(tokens(90), 0.9);
      await settled();
      const other = await reserve(on, principal, huge, huge);
      expect(await outcome(reserve(on, principal, 1))).toBe(429);
      other.release();
      await settled();
      expect(await outcome(reserve(on, principal, 5))).toBe(200);
      expect(await outcome(reserve(on, principal, 6))).toBe(429);
    },
  );

  it("lets nobody pass beside a call whose cost is no number", async () => {
    const on = await limiter();
    const principal = caller({ maxBudget: 1 });
    const endless = await reserve(on, principal, 1, Number.NaN);
    const controller = new AbortController();
    const waiting = outcome(
      on.reserve({
        principal,
        model: "m",
        estimatedTokens: 1,
        estimatedCost: 0.1,
        signal: controller.signal,
      }),
    );
    await settled();
    controller.abort();
    expect(await waiting).toBe(499);
    endless.release();
    await settled();
    expect(await outcome(reserve(on, principal, 1, 0.1))).toBe(200);
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
    const on = await limiter();
    const principal = caller({ maxBudget: 1 });
    await spend(principal.keyHash, 0.9);
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
  const before = new Map<string, number>();
  limiterSuite(
    () => openLimiter(undefined, async (keyHash) => before.get(keyHash) ?? 0, quiet),
    async (keyHash, amount) => void before.set(keyHash, amount),
    false,
  );
});

describe.skipIf(!hasRedis || !hasPostgres)("the limiter that replicas share", () => {
  let redis: TestRedis;
  let postgres: TestDatabases;
  let store: Store;
  beforeAll(async () => {
    redis = await startRedis();
    postgres = await openDatabases();
    store = await openPostgresStore(await postgres.createDatabase(), quiet);
  });
  afterAll(async () => {
    await store?.close();
    await redis?.stop();
    await postgres?.stop();
  });
  limiterSuite(
    () => openLimiter(redis.url, async () => 0, quiet, store),
    async (key_hash, amount) => {
      await store.db.insertInto("key_spend").values({ key_hash, spend: amount }).execute();
    },
    true,
  );
});

describe.skipIf(!hasRedis || !hasPostgres)("replicas whose Redis goes away and comes back empty", () => {
  it("stay within the budget, spend all of it, and fail no call", async () => {
    let redis = await startRedis();
    const postgres = await openDatabases();
    const store = await openPostgresStore(await postgres.createDatabase(), quiet);
    const limits: KeyLimits = { maxBudget: 100, rpm: 1_000_000 };
    const principal: Principal = { ...anonymous, keyHash: randomUUID(), limits };
    const open = () => openLimiter(redis.url, async () => 0, quiet, store);
    const replicas = [await open(), await open(), await open()];
    let billed = 0;
    const outcomes = new Map<number, number>();
    const call = async (index: number): Promise<void> => {
      let status = 200;
      try {
        const request = { principal, model: "m", estimatedTokens: 1, estimatedCost: 1 };
        const held = await replicas[index % 3]!.reserve(request);
        billed += 1;
        held.settle(tokens(1), 1);
      } catch (error) {
        status = error instanceof GatewayError ? error.status : 500;
      }
      outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
    };
    const calls = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => call(index)));
    try {
      await calls(30);
      expect(billed).toBe(30);
      await redis.stop();
      await calls(30);
      expect(billed).toBe(60);
      redis = await redis.startAgain();
      await calls(60);
      expect(billed).toBe(100);
      expect([...outcomes.keys()].sort()).toEqual([200, 402]);
    } finally {
      await Promise.all(replicas.map((replica) => replica.close()));
      await store.close();
      await postgres.stop();
      await redis.stop();
    }
  });
});
