import { pino } from "pino";
import { expect, it, vi } from "vitest";
import type { Claim } from "../counters.ts";
import { MemoryCounters } from "../memory-counters.ts";
import type { RedisCounters } from "./redis-counters.ts";
import { StandbyCounters } from "./standby-counters.ts";

const budget = (amount: number): Claim => ({
  kind: "budget",
  owner: "key",
  limit: 100,
  amount,
  window: "all",
  endsAt: undefined,
  spentBefore: 0,
});
const minute = (kind: "requests" | "tokens"): Claim => ({ kind, owner: "key", limit: 9, amount: 1 });

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
    ping: async () => answer(() => undefined),
    close: async () => counters.close(),
  };
  return { server, stand: stand as unknown as RedisCounters };
}

it("shares out what was left while the shared counters are away, and begins anew when they are back", async () => {
  const { server, stand } = shared(2);
  const counters = await StandbyCounters.open(stand, pino({ level: "silent" }));
  try {
    expect((await counters.claim("a", [budget(40)])).taken).toBe(true);
    await counters.finish("a", [budget(40)], { tokens: 0, cost: 40 });
    expect((await counters.claim("held", [budget(10)])).taken).toBe(true);

    server.isAway = true;
    // 50 are left beside what is held, of which two replicas have 25 each.
    expect((await counters.claim("b", [budget(20)])).taken).toBe(true);
    const refused = await counters.claim("c", [budget(20)]);
    expect(refused).toMatchObject({ taken: false, standing: { remaining: 25 } });
    const taken = await Promise.all(
      Array.from({ length: 9 }, (_, index) => counters.claim(`r${index}`, [minute("requests")])),
    );
    expect(taken.filter((result) => result.taken)).toHaveLength(4);
    await counters.finish("held", [budget(10)], { tokens: 0, cost: 9 });

    server.isAway = false;
    await vi.waitUntil(() => counters.epoch === 1, { timeout: 60_000 });
    // Given back without its cost: that comes with the seed that is read anew.
    expect(server.finished.at(-1)).toBeUndefined();
    await counters.finish("b", [budget(20)], { tokens: 0, cost: 5 });
    expect(counters.epoch).toBe(2);
    expect((await counters.claim("d", [minute("tokens"), budget(20)])).taken).toBe(true);
  } finally {
    await counters.close();
  }
});

it("opens although the shared counters are away", async () => {
  const { server, stand } = shared(3);
  server.isAway = true;
  const counters = await StandbyCounters.open(stand, pino({ level: "silent" }));
  expect((await counters.claim("a", [{ kind: "parallel", owner: "key", limit: 1 }])).taken).toBe(true);
  expect((await counters.claim("b", [{ kind: "parallel", owner: "key", limit: 1 }])).taken).toBe(false);
  await counters.close();
});
