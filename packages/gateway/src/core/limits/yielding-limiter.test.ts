import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { anonymous } from "../../contract/principal.ts";
import { RowGate } from "../../features/batches/run/row-gate.ts";
import { Rollovers } from "../ledger/rollover.ts";
import { directDeployment } from "../routing/direct-deployment.ts";
import { CountingLimiter } from "./counting-limiter.ts";
import { MemoryBudgets } from "./memory-budgets.ts";
import { MemoryCounters } from "./memory-counters.ts";
import { YieldingLimiter } from "./yielding-limiter.ts";

function open(): YieldingLimiter {
  const logger = pino({ level: "silent" });
  const budgets = new MemoryBudgets(async () => 0, undefined, logger);
  const timezone = () => undefined;
  const rollovers = new Rollovers(undefined, timezone);
  const counters = new MemoryCounters();
  return new YieldingLimiter(new CountingLimiter({ counters, budgets, logger, timezone, rollovers }));
}

const deployment = { ...directDeployment("openai/gpt-4o"), rpm: 100 };
const call = { principal: anonymous, deployment, model: "gpt", estimatedTokens: 10, estimatedCost: 0 };

async function takeAll(reserve: () => unknown): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    try {
      await reserve();
    } catch {
      return taken;
    }
  }
}

describe("Batches give way to interactive calls", () => {
  it("by leaving a part of a deployment's limit free", async () => {
    const limiter = open();
    expect(await takeAll(() => limiter.batch.reserve(call))).toBe(97);
    expect(await takeAll(() => limiter.interactive.reserve(call))).toBe(3);
  });

  it("by leaving as much as interactive calls lately took", async () => {
    const limiter = open();
    for (let index = 0; index < 30; index += 1) await limiter.interactive.reserve(call);
    expect(await takeAll(() => limiter.batch.reserve(call))).toBe(40);
  });

  it("by running fewer rows at once, and never none", async () => {
    let interactive = 0;
    const gate = new RowGate(4, () => interactive);
    let running = 0;
    let most = 0;
    const row = (): Promise<void> =>
      gate.run(10, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      });
    await Promise.all(Array.from({ length: 20 }, row));
    expect(most).toBe(4);
    interactive = 50;
    most = 0;
    await Promise.all(Array.from({ length: 20 }, row));
    expect(most).toBe(1);
  });

  it("counts interactive calls until they are settled", async () => {
    const limiter = open();
    const { deployment: _, ...keyCall } = call;
    const reservation = await limiter.interactive.reserve(keyCall);
    expect(limiter.interactiveCalls).toBe(1);
    reservation.settle(undefined, undefined);
    reservation.release();
    expect(limiter.interactiveCalls).toBe(0);
  });
});
