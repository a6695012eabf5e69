import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Redis } from "ioredis";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RedisEntries } from "../src/core/cache/redis-entries.ts";
import type { Claim } from "../src/core/limits/counters.ts";
import { openRedis } from "../src/core/limits/redis/open-redis.ts";
import { RedisCounters } from "../src/core/limits/redis/redis-counters.ts";
import { StandbyCounters } from "../src/core/limits/redis/standby-counters.ts";
import { MASTER_KEY, startTestGateway } from "./support/gateway.ts";
import { startRedis, type TestRedis } from "./support/redis.ts";
import { hasRedis } from "./support/services.ts";

/** A way to a Redis on which answers can get lost. */
async function startWay(redisUrl: string) {
  const { hostname, port } = new URL(redisUrl);
  const way = { url: "", losesAnswers: false, open: new Set<Socket>(), close: () => {} };
  const server = createServer((client) => {
    const redis = connect(Number(port), hostname);
    way.open.add(client);
    client.on("close", () => way.open.delete(client));
    client.pipe(redis);
    redis.on("data", (bytes) => {
      if (!way.losesAnswers) client.write(bytes);
    });
    redis.on("close", () => client.destroy());
    for (const socket of [client, redis]) socket.on("error", () => socket.destroy());
    client.on("close", () => redis.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  way.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  way.close = () => {
    server.close();
    for (const socket of way.open) socket.destroy();
  };
  return way;
}

const mine = { owner: "key", name: "this api key" } as const;
const tokens: Claim = { ...mine, kind: "tokens", limit: 1000, amount: 100 };
const place: Claim = { ...mine, kind: "parallel", limit: 1 };

describe.skipIf(!hasRedis)("A Redis that shares limits", () => {
  let redis: TestRedis;
  let direct: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    direct = new Redis(redis.url);
  });
  afterAll(async () => {
    direct.disconnect();
    await redis.stop();
  });

  it("and is frozen holds no call up for good, and keeps no place that nobody has once it goes on", async () => {
    const gateway = await startTestGateway({
      environment: { REDIS_URL: redis.url },
      config: `model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, api_key: k, mock_response: hello}}
general_settings: {master_key: ${MASTER_KEY}}
keys: [{key: sk-one-at-a-time-0123, max_parallel_requests: 1}]
`,
    });
    const call = async (): Promise<number> => {
      const body = { model: "m", messages: [{ role: "user", content: "hi" }] };
      return (await gateway.call("/v1/chat/completions", { body, key: "sk-one-at-a-time-0123" })).status;
    };
    const goOn = redis.freeze();
    try {
      expect([await call(), await call()]).toEqual([200, 200]);
    } finally {
      goOn();
    }
    await expect.poll(() => gateway.log()).toContain("Redis is back");
    expect([await call(), await call()]).toEqual([200, 200]);
    await gateway.close();
  });

  it("and whose answers get lost counts each end once, and keeps no claim of which nobody knows", async () => {
    const way = await startWay(redis.url);
    const shared = new RedisCounters(await openRedis(way.url, pino({ level: "silent" })));
    const counters = await StandbyCounters.open(shared, pino({ level: "silent" }));
    try {
      await counters.claim("first", [tokens]);
      way.losesAnswers = true;
      const before = [...way.open];
      // Both reach Redis, and neither hears of it.
      await counters.finish("first", [tokens], { tokens: 10 });
      expect((await counters.claim("second", [place, tokens])).taken).toBe(true);
      expect(await direct.hget("portico:m:{key}:tokens", "used")).toBe("10");
      // What waits for answers would grow in memory.
      await expect.poll(() => before.filter((socket) => way.open.has(socket)).length).toBe(0);
      way.losesAnswers = false;
      await expect
        .poll(async () => (await counters.claim("third", [{ ...tokens, limit: 10, amount: 1 }])).taken)
        .toBe(false);
      expect(await direct.hget("portico:m:{key}:tokens", "used")).toBe("10");
      await counters.finish("second", [place, tokens], { tokens: 10 });
      expect(await direct.hget("portico:m:{key}:tokens", "used")).toBe("10");
      expect(await direct.exists("portico:p:{key}")).toBe(0);
    } finally {
      await counters.close();
      way.close();
    }
  });

  describe("hears when it is back", () => {
    /** A replica that claims and ends calls while Redis is away, and is not told so by its clock. */
    async function awayReplica() {
      const way = await startWay(redis.url);
      const log: string[] = [];
      const logger = pino({ level: "info" }, { write: (line: string) => log.push(line) });
      const counters = await StandbyCounters.open(
        new RedisCounters(await openRedis(way.url, logger)),
        logger,
      );
      const requests = { ...mine, kind: "requests", limit: 100, amount: 1 } as const;
      const share = { priority: "p", limit: 1000, above: 1000 };
      const claims: Claim[] = [
        { ...place, limit: 50 },
        requests,
        { ...requests, kind: "tokens", limit: 10_000, amount: 100, share },
      ];
      return {
        way,
        claims,
        counters,
        take: async (id: string) => expect((await counters.claim(id, claims)).taken).toBe(true),
        end: (id: string, used: number | undefined) =>
          counters.finish(id, claims, used === undefined ? undefined : { tokens: used }),
        isBack: (times = 1) =>
          expect.poll(() => log.filter((line) => line.includes("Redis is back")).length).toBe(times),
        close: async () => {
          await counters.close();
          way.close();
        },
      };
    }

    const counted = async () => ({
      requests: Number(await direct.hget("portico:m:{key}:requests", "used")),
      tokens: Number(await direct.hget("portico:m:{key}:tokens", "used")),
      reserved: Number(await direct.hget("portico:m:{key}:tokens", "reserved")),
      ofShare: Number(await direct.hget("portico:m:{key}:tokens", "used:p")),
      reservedOfShare: Number(await direct.hget("portico:m:{key}:tokens", "reserved:p")),
      places: await direct.hkeys("portico:p:{key}"),
    });

    it("of what was used meanwhile, and counts on for calls that run still", async () => {
      await direct.flushall();
      const replica = await awayReplica();
      try {
        await replica.take("before");
        await replica.take("long");
        await replica.end("before", 30);
        replica.way.losesAnswers = true;
        await replica.take("a");
        await replica.end("a", 7);
        await replica.take("b");
        await replica.end("b", undefined);
        await replica.take("c");
        await replica.end("long", 50);
        replica.way.losesAnswers = false;
        await replica.isBack();
        // Those before and long, a, and c with its worst case.
        const ofCalls = 30 + 50 + 7 + 100;
        expect(await counted()).toEqual({
          requests: 4,
          tokens: ofCalls,
          reserved: 100,
          ofShare: ofCalls,
          reservedOfShare: 100,
          places: ["c"],
        });
        await replica.end("c", 1);
        const rest = {
          tokens: ofCalls - 99,
          reserved: 0,
          ofShare: ofCalls - 99,
          reservedOfShare: 0,
          places: [],
        };
        expect(await counted()).toEqual({ requests: 4, ...rest });
      } finally {
        await replica.close();
      }
    });

    it("of it once, however often answers get lost on the way", async () => {
      await direct.flushall();
      const replica = await awayReplica();
      try {
        replica.way.losesAnswers = true;
        await replica.take("a");
        await replica.end("a", 7);
        await replica.take("b");
        const adopted = () => direct.exists("portico:p:{key}");
        for (let turn = 0; turn < 3; turn += 1) {
          replica.way.losesAnswers = false;
          await expect.poll(adopted).toBe(1);
          replica.way.losesAnswers = true;
          await direct.del("portico:p:{key}");
          await replica.take(`turn ${turn}`);
          await replica.end(`turn ${turn}`, 1);
        }
        await replica.end("b", 2);
        replica.way.losesAnswers = false;
        await expect.poll(async () => (await counted()).tokens).toBe(7 + 3 + 2);
        expect(await counted()).toMatchObject({ requests: 5, reserved: 0, ofShare: 12, reservedOfShare: 0 });
      } finally {
        await replica.close();
      }
    });

    it("and is empty then, of this replica's share of what it had forgotten", async () => {
      await direct.flushall();
      const replica = await awayReplica();
      try {
        await replica.take("before");
        await replica.end("before", 30);
        await replica.take("last");
        await replica.end("last", 30);
        replica.way.losesAnswers = true;
        await replica.take("a");
        await replica.end("a", 7);
        await direct.flushall();
        replica.way.losesAnswers = false;
        await replica.isBack();
        // As the last claim saw it: with the worst case of the call that it was for.
        expect(await counted()).toMatchObject({ requests: 3, tokens: 30 + 100 + 7, places: [] });
        expect(await direct.pttl("portico:m:{key}:tokens")).toBeGreaterThan(0);
      } finally {
        await replica.close();
      }
    });
  });

  it("and takes nothing for want of memory is away until it does, and told of once", async () => {
    await direct.flushall();
    let log = "";
    const write = (line: string): void => {
      log += line;
    };
    const logger = pino({ level: "info" }, { write });
    const counters = await StandbyCounters.open(
      new RedisCounters(await openRedis(redis.url, logger)),
      logger,
    );
    const refused = async (): Promise<number> =>
      Number(/zadd:.*rejected_calls=(\d+)/.exec(await direct.info("commandstats"))?.[1]);
    const rpm: Claim = { owner: "other", name: "this api key", kind: "requests", limit: 3, amount: 1 };
    await direct.config("SET", "maxmemory", "1");
    try {
      const results = [];
      for (const id of ["a", "b", "c", "d"]) results.push(await counters.claim(id, [rpm]));
      expect(results.map(({ taken }) => taken)).toEqual([true, true, true, false]);
      const before = await refused();
      await expect.poll(refused).toBeGreaterThan(before + 2);
      expect((await counters.claim("e", [rpm])).taken).toBe(false);
      expect(log.match(/Redis is away/g)).toHaveLength(1);
    } finally {
      await direct.config("SET", "maxmemory", "0");
    }
    await expect.poll(() => log).toContain("Redis is back");
    await counters.close();
  });

  it("and the one of the response cache lose a connection that says nothing", async () => {
    const way = await startWay(redis.url);
    const entries = await RedisEntries.open(way.url, "cache:", pino({ level: "silent" }));
    await entries.set("cache:a", "kept", 60);
    way.losesAnswers = true;
    const before = [...way.open];
    await expect(entries.get("cache:a")).rejects.toThrow();
    await expect.poll(() => before.filter((socket) => way.open.has(socket)).length).toBe(0);
    way.losesAnswers = false;
    await expect.poll(() => entries.get("cache:a").catch(() => undefined)).toBe("kept");
    await entries.close();
    way.close();
  });
});
