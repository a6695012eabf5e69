import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BudgetClaim } from "./budgets.ts";
import type { HoldStore } from "./hold-store.ts";
import { MemoryBudgets, type SpentBefore } from "./memory-budgets.ts";

/** More than are remembered before ended windows are swept out. */
const MANY = 10_100;
const WINDOW = 60_000;
const START = 1_800_000_000_000;

const quiet = pino({ level: "silent" });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

const claimOf = (owner: string, amount: number, more: Partial<BudgetClaim> = {}): BudgetClaim => ({
  owner,
  name: owner,
  amount,
  limit: 10,
  windowStart: START,
  windowEnd: START + WINDOW,
  ...more,
});

/** Has so many windows begin that those which have ended are swept out. */
async function crowd(budgets: MemoryBudgets, count = MANY): Promise<void> {
  for (let other = 0; other < count; other++)
    await budgets.claim(
      `other ${other}`,
      [claimOf(`other ${other}`, 1, { windowEnd: START + 10 * WINDOW })],
      false,
    );
}

describe("Ended windows that are swept out", () => {
  it.each([0, 1])("stay for a call that holds %d dollars of one", async (amount) => {
    const spent = vi.fn<SpentBefore>(async () => 3);
    const budgets = new MemoryBudgets(spent, undefined, quiet);
    expect(await budgets.claim("call", [claimOf("key", amount)], false)).toEqual({ taken: true });
    vi.setSystemTime(START + 2 * WINDOW);
    await crowd(budgets);
    spent.mockClear();
    budgets.finish("call", 4);
    // 3 + 4 of 10 are spent, and the store was not asked again.
    expect(await budgets.claim("next", [claimOf("key", 4)], true)).toMatchObject({ taken: false, spent: 7 });
    expect(spent).not.toHaveBeenCalled();
    await crowd(budgets, 3 * MANY);
    await budgets.claim("last", [claimOf("key", 1)], false);
    expect(spent).toHaveBeenCalledWith("key", START);
  });

  it("stay for a claim that waits for what another owner has spent", async () => {
    let answer: ((spent: number) => void) | undefined;
    const budgets = new MemoryBudgets(
      (owner) => (owner === "slow" ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(0)),
      undefined,
      quiet,
    );
    const asked = budgets.claim("call", [claimOf("key", 1), claimOf("slow", 1)], false);
    await vi.waitUntil(() => answer !== undefined, { timeout: 120_000 });
    vi.setSystemTime(START + 2 * WINDOW);
    await crowd(budgets);
    answer!(0);
    expect(await asked).toEqual({ taken: true });
    budgets.finish("call", 1);
  });

  it("stay while something may roll over from them", async () => {
    const spent = vi.fn<SpentBefore>(async () => 0);
    const budgets = new MemoryBudgets(spent, undefined, quiet);
    const rollover = { from: START - WINDOW, budget: 10, most: 10 };
    await budgets.claim("call", [claimOf("key", 1, { rollover })], false);
    budgets.finish("call", 1);
    vi.setSystemTime(START + WINDOW / 2);
    await crowd(budgets);
    spent.mockClear();
    await budgets.claim("next", [claimOf("key", 1, { rollover })], false);
    expect(spent).not.toHaveBeenCalled();
  });
});

describe("Budgets that hold for good", () => {
  const forGood = { windowStart: undefined, windowEnd: undefined };
  /** A store in which nothing is kept for jobs. */
  const holds = { load: async () => [] } as unknown as HoldStore;

  it.each([
    ["are asked of the store again once nobody has used them for long", holds, 11 * WINDOW, true],
    ["stay for a while", holds, 9 * WINDOW, false],
    ["stay without a store, which could not say what was spent", undefined, 100 * WINDOW, false],
  ])("%s", async (_, store, later, isAsked) => {
    let known = 3;
    const spent = vi.fn<SpentBefore>(async () => known);
    const budgets = new MemoryBudgets(spent, store, quiet);
    await budgets.claim("call", [claimOf("customer", 1, forGood)], false);
    await budgets.claim("held", [claimOf("busy", 1, forGood)], false);
    budgets.finish("call", 4);
    known = 7;
    vi.setSystemTime(START + later);
    await crowd(budgets);
    spent.mockClear();
    expect(await budgets.claim("next", [claimOf("customer", 4, forGood)], true)).toMatchObject({ spent: 7 });
    expect(spent.mock.calls.length > 0).toBe(isAsked);
    spent.mockClear();
    await budgets.claim("more", [claimOf("busy", 1, forGood)], false);
    expect(spent).not.toHaveBeenCalled();
  });
});
