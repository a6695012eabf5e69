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
    ping: async () => answer(() => undefined),
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
    await vi.waitUntil(() => server.finished.length > 0, { timeout: 60_000 });
    expect(server.finished).toEqual([{ tokens: 7 }]);
    // Of what the limit has, 7 tokens are used up there.
    const three: Claim = { kind: "tokens", owner: "key", name: "this api key", limit: 9, amount: 3 };
    await sharedCounters.claim("other", [{ ...three, amount: 1 }]);
    await vi.waitUntil(async () => !(await counters.claim("late", [three])).taken, { timeout: 60_000 });
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
