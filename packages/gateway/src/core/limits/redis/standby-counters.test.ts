import { pino } from "pino";
import { expect, it, vi } from "vitest";
import type { Claim } from "../counters.ts";
import { MemoryCounters } from "../memory-counters.ts";
import type { RedisCounters } from "./redis-counters.ts";
import { StandbyCounters } from "./standby-counters.ts";

const minute = (kind: "requests" | "tokens"): Claim => ({
  kind,
  owner: "key",
  name: "this api key",
  limit: 9,
  amount: 1,
});

/** Shared counters that can be away, in front of which stand so many replicas. */
function shared(replicas: number) {
  const counters = new MemoryCounters();
  const server = { isAway: false, finished: [] as unknown[] };
  const answer = <T>(work: () => T): T => {
    if (server.isAway) throw new Error("connect ECONNREFUSED");
    return work();
  };
  const stand = {
    claim: async (...args: Parameters<MemoryCounters["claim"]>) => answer(() => counters.claim(...args)),
    finish: async (...args: Parameters<MemoryCounters["finish"]>) =>
      answer(() => {
        server.finished.push(args[2]);
        return counters.finish(...args);
      }),
    countReplicas: async () => answer(() => replicas),
    onLost: () => undefined,
    renew: async () => answer(() => undefined),
    withdraw: async () => answer(() => undefined),
    tell: async () => answer(() => undefined),
    adopt: async () => answer(() => undefined),
    leave: async () => answer(() => undefined),
    close: async () => counters.close(),
  };
  return { server, counters, stand: stand as unknown as RedisCounters };
}

it("shares limits out while the shared counters are away, and tells them later how calls ended", async () => {
  const { server, counters: sharedCounters, stand } = shared(2);
  const counters = await StandbyCounters.open(stand, pino({ level: "silent" }));
  try {
    expect((await counters.claim("held", [minute("requests"), minute("tokens")])).taken).toBe(true);

    server.isAway = true;
    // Two replicas have 4 of 9 each.
    const taken = await Promise.all(
      Array.from({ length: 9 }, (_, index) => counters.claim(`r${index}`, [minute("requests")])),
    );
    expect(taken.filter((result) => result.taken)).toHaveLength(4);
    await counters.finish("held", [minute("requests"), minute("tokens")], { tokens: 7 });

    server.isAway = false;
    await vi.waitUntil(() => server.finished.length > 0, { timeout: 120_000 });
    expect(server.finished).toEqual([{ tokens: 7 }]);
    // Of what the limit has, 7 tokens are used up there.
    const three: Claim = { kind: "tokens", owner: "key", name: "this api key", limit: 9, amount: 3 };
    await sharedCounters.claim("other", [{ ...three, amount: 1 }]);
    await vi.waitUntil(async () => !(await counters.claim("late", [three])).taken, { timeout: 120_000 });
  } finally {
    await counters.close();
  }
});

it.each([
  [1, 6, 3],
  [2, 5, 2],
  [2, 9, 0],
  [4, 8, 1],
])(
  "of %s replicas goes on with its share of what is left once %s of 9 are used",
  async (replicas, used, left) => {
    const { server, stand } = shared(replicas);
    const counters = await StandbyCounters.open(stand, pino({ level: "silent" }));
    const claimed = async (count: number, kind: "requests" | "tokens"): Promise<number> => {
      let taken = 0;
      for (let call = 0; call < count; call += 1)
        if ((await counters.claim(`${server.isAway} ${kind} ${call}`, [minute(kind)])).taken) taken += 1;
      return taken;
    };
    try {
      expect(await claimed(used, "requests")).toBe(used);
      expect(await claimed(used, "tokens")).toBe(used);
      server.isAway = true;
      expect(await claimed(9, "requests")).toBe(left);
      expect(await claimed(9, "tokens")).toBe(left);
      // Another minute begins with the whole share.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
      expect(await claimed(9, "requests")).toBe(Math.floor(9 / replicas));
    } finally {
      vi.useRealTimers();
      await counters.close();
    }
  },
);

it("goes on from a refusal, too, and remembers few of many owners", async () => {
  const { server, stand } = shared(1);
  const counters = await StandbyCounters.open(stand, pino({ level: "silent" }));
  const of = (owner: string, amount = 1): Claim => ({ ...minute("requests"), owner, amount }) as Claim;
  try {
    await counters.claim("all", [of("a", 9)]);
    for (let at = 0; at < 20_001; at += 1) await counters.claim(`o${at}`, [of(`o${at}`)]);
    expect((await counters.claim("refused", [of("a")])).taken).toBe(false);
    server.isAway = true;
    expect((await counters.claim("later", [of("a")])).taken).toBe(false);
    expect((await counters.claim("another", [of("b")])).taken).toBe(true);
  } finally {
    await counters.close();
  }
});

it("shares out what is kept for priorities too, and of nothing nothing", async () => {
  const { server, stand } = shared(2);
  const counters = await StandbyCounters.open(stand, pino({ level: "silent" }));
  try {
    server.isAway = true;
    const share = { priority: "dev", limit: 4, above: 0 };
    const claim = { kind: "requests", owner: "model", name: "the model", limit: 10, amount: 1 } as const;
    const results = ["a", "b", "c"].map((id) => counters.claim(id, [{ ...claim, share }]));
    expect((await Promise.all(results)).map(({ taken }) => taken)).toEqual([true, true, false]);
    expect((await counters.claim("d", [{ ...claim, share: { ...share, limit: 0 } }])).taken).toBe(false);
    expect((await counters.claim("e", [{ ...minute("tokens"), limit: 0 }])).taken).toBe(false);
  } finally {
    await counters.close();
  }
});

it("opens although the shared counters are away", async () => {
  const { server, stand } = shared(3);
  server.isAway = true;
  const counters = await StandbyCounters.open(stand, pino({ level: "silent" }));
  expect(
    (await counters.claim("a", [{ kind: "parallel", owner: "key", name: "this api key", limit: 1 }])).taken,
  ).toBe(true);
  expect(
    (await counters.claim("b", [{ kind: "parallel", owner: "key", name: "this api key", limit: 1 }])).taken,
  ).toBe(false);
  await counters.close();
});

it("logs what Redis refuses as a defect, holds that call by this replica's share, and does not count as away", async () => {
  const { server, counters: sharedCounters, stand } = shared(2);
  const logged: string[] = [];
  const logger = pino({ level: "info" }, { write: (line) => logged.push(line) });
  const counters = await StandbyCounters.open(stand, logger);
  const refusal = (message: string) => Object.assign(new Error(message), { name: "ReplyError" });
  const refuseOnce = (method: "claim" | "finish") =>
    vi.spyOn(sharedCounters, method).mockRejectedValueOnce(refusal("ERR user_script:7: not a number"));
  try {
    refuseOnce("claim");
    expect((await counters.claim("refused", [minute("requests")])).taken).toBe(true);
    await counters.finish("refused", [minute("requests")], undefined);
    expect((await counters.claim("shared", [minute("requests")])).taken).toBe(true);
    refuseOnce("finish");
    await counters.finish("shared", [minute("requests")], { tokens: 1 });
    expect(logged.filter((line) => line.includes("a defect"))).toHaveLength(2);
    expect(logged.filter((line) => line.includes("Redis is away"))).toEqual([]);
    // One that is told later does not keep Redis away either.
    await counters.claim("late", [minute("requests")]);
    server.isAway = true;
    await counters.finish("late", [minute("requests")], { tokens: 2 });
    refuseOnce("finish");
    server.isAway = false;
    await vi.waitUntil(() => logged.some((line) => line.includes("Redis is back")), { timeout: 120_000 });
    // A server that is loading its data answers, and is away all the same.
    vi.spyOn(sharedCounters, "claim").mockRejectedValueOnce(refusal("LOADING Redis is loading the dataset"));
    await counters.claim("loading", [minute("requests")]);
    expect(logged.filter((line) => line.includes("Redis is away"))).toHaveLength(2);
  } finally {
    await counters.close();
  }
});
