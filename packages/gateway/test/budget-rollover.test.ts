import { sql } from "kysely";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { randomNumbers } from "../../../tools/random-numbers.ts";
import { anonymous, type KeyLimits, type Principal } from "../src/contract/principal.ts";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink, type SpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import { lowerSpend } from "../src/core/ledger/lowered-spend.ts";
import { Rollovers } from "../src/core/ledger/rollover.ts";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import type { Limiter, Reservation } from "../src/core/limits/limiter.ts";
import { openLimiter } from "../src/core/limits/open-limiter.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { until } from "./support/until.ts";

const quiet = pino({ level: "silent" });
/** Windows are longer than calls hold their shares without a sign of life, so that nothing lapses by itself. */
const WINDOW = 10_000;
const DURATION = "10s";
/** A moment at which a window begins. */
const START = Date.UTC(2026, 0, 1);
const below = randomNumbers();

describeOnEachStore("Budgets that roll over", ({ open }) => {
  const toClose: { close(): Promise<void> }[] = [];
  let store: Store;
  let sink: SpendSink;
  let rows = 0;
  /** One row after the other, as the writer of the log has them. */
  let writing: Promise<unknown> = Promise.resolve();
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: START });
    store = await open();
    sink = await openSpendSink(store.location);
    toClose.push(store, sink);
    if (store.kind === "postgres") await fakeDatabaseClock();
    await setClock(START);
  });
  afterEach(async () => {
    for (const each of toClose.splice(0).reverse()) await each.close();
    vi.useRealTimers();
  });

  /** The database tells the time of the test, where its function asks. */
  async function fakeDatabaseClock(): Promise<void> {
    await sql`create table test_clock (now_ms bigint not null)`.execute(store.db);
    await sql`insert into test_clock values (0)`.execute(store.db);
    await sql`create function clock_timestamp() returns timestamptz language sql volatile
      as 'select to_timestamp(now_ms / 1000.0) from public.test_clock'`.execute(store.db);
    await sql`alter function budget_turn_with_rollover set search_path = public, pg_catalog`.execute(
      store.db,
    );
  }

  /** @param ahead milliseconds by which the database's clock is ahead */
  async function setClock(now: number, ahead = 0): Promise<void> {
    if (store.kind === "postgres") await sql`update test_clock set now_ms = ${now + ahead}`.execute(store.db);
    vi.setSystemTime(now);
  }

  /** @param reads is told when the limiter reads what was spent before it began */
  async function start(reads = (): void => {}): Promise<Limiter> {
    const spend = new SpendStore(store);
    const before = (owner: string, windowStart: number | undefined) => {
      reads();
      return spend.spentIn({ owner, windowStart });
    };
    const limiter = await openLimiter(undefined, before, quiet, store);
    toClose.push(limiter);
    return limiter;
  }

  const key = (limits: KeyLimits, keyHash = "k"): Principal => ({
    ...anonymous,
    keyHash,
    limits: { budgetDuration: DURATION, ...limits },
  });

  const take = async (limiter: Limiter, principal: Principal, estimatedCost: number) =>
    limiter.reserve({ principal, model: "m", estimatedTokens: 1, estimatedCost, mustFit: true });

  /** Ends a call as the gateway does: its row reaches the store. */
  async function settle(reservation: Reservation, spend: number, key_hash = "k"): Promise<void> {
    reservation.settle(undefined, spend);
    const hold = reservation.hold!;
    rows += 1;
    const row = { ...aRow, key_hash, id: hold.id, request_id: `r${rows}`, spend };
    writing = writing.then(() => sink.write([textOfRow({ row, ...hold })]));
    await writing;
  }

  const room = async (limiter: Limiter, principal: Principal, cost: number): Promise<boolean> => {
    const held = await take(limiter, principal, cost).catch((error: unknown) => {
      expect(error).toMatchObject({ status: 402 });
    });
    held?.release();
    return held !== undefined;
  };

  it("give a window what the last one left, up to the maximum, and nothing of the one before that", async () => {
    const limiter = await start();
    const principal = key({ maxBudget: 10, maxRollover: 4 });
    expect([await room(limiter, principal, 10), await room(limiter, principal, 11)]).toEqual([true, false]);
    await settle(await take(limiter, principal, 8), 8);
    await setClock(START + WINDOW);
    expect([await room(limiter, principal, 12), await room(limiter, principal, 13)]).toEqual([true, false]);
    // A whole window without a call.
    await setClock(START + 3 * WINDOW);
    expect([await room(limiter, principal, 14), await room(limiter, principal, 15)]).toEqual([true, false]);
    await settle(await take(limiter, principal, 14), 14);
    await setClock(START + 4 * WINDOW);
    expect([await room(limiter, principal, 10), await room(limiter, principal, 11)]).toEqual([true, false]);
  });

  it("give nothing of before they rolled over, and the smaller of two amounts", async () => {
    const limiter = await start();
    expect(await room(limiter, key({ maxBudget: 10 }), 10)).toBe(true);
    await setClock(START + WINDOW);
    const rolling = key({ maxBudget: 10, maxRollover: 100 });
    expect([await room(limiter, rolling, 10), await room(limiter, rolling, 11)]).toEqual([true, false]);
    await settle(await take(limiter, rolling, 9), 9);
    await setClock(START + 2 * WINDOW);
    const raised = key({ maxBudget: 50, maxRollover: 100 });
    expect([await room(limiter, raised, 51), await room(limiter, raised, 52)]).toEqual([true, false]);
    const longer = key({ maxBudget: 50, maxRollover: 100, budgetDuration: "5s" });
    expect([await room(limiter, longer, 50), await room(limiter, longer, 51)]).toEqual([true, false]);
  });

  it("give what a window had that another replica saw begin and end", async () => {
    const [one, other] = [await start(), await start()];
    const [usual, small] = [
      key({ maxBudget: 10, maxRollover: 100 }),
      key({ maxBudget: 1, maxRollover: 100 }),
    ];
    expect(await room(one, usual, 10)).toBe(true);
    await setClock(START + WINDOW);
    await settle(await take(other, small, 1), 1);
    await setClock(START + 2 * WINDOW);
    expect([await room(one, usual, 10), await room(one, usual, 11)]).toEqual([true, false]);
  });

  it("shut something off where they are nothing, whatever rolls over", async () => {
    const limiter = await start();
    expect(await room(limiter, key({ maxBudget: 10, maxRollover: 10 }), 1)).toBe(true);
    await setClock(START + WINDOW);
    expect(await room(limiter, key({ maxBudget: 0, maxRollover: 10 }), 0)).toBe(false);
  });

  it("say what they have with what rolled over when they refuse", async () => {
    const limiter = await start();
    const principal = key({ maxBudget: 10, maxRollover: 5 });
    await settle(await take(limiter, principal, 7), 7);
    await setClock(START + WINDOW);
    await settle(await take(limiter, principal, 13), 13);
    const request = { principal, model: "m", estimatedTokens: 1, estimatedCost: 1 };
    const until = new Date(START + 2 * WINDOW).toISOString();
    await expect(Promise.resolve(limiter.reserve(request))).rejects.toMatchObject({
      status: 402,
      message: `The budget of this api key is exhausted: $13 of $13 are spent; it resets at ${until}`,
    });
  });

  it("keep back what calls of the last window hold, until these have ended", async () => {
    const limiter = await start();
    const principal = key({ maxBudget: 10, maxRollover: 10 });
    const held = await take(limiter, principal, 8);
    await setClock(START + WINDOW);
    expect([await room(limiter, principal, 12), await room(limiter, principal, 13)]).toEqual([true, false]);
    await settle(held, 1);
    expect([await room(limiter, principal, 19), await room(limiter, principal, 20)]).toEqual([true, false]);
  });

  it("take nothing of a window that has ended by whoever counts", async () => {
    let isLate = false;
    // The window ends after the call has asked for a share of it, and by the database's clock before.
    const limiter = await start(() => void (isLate && vi.setSystemTime(START + WINDOW)));
    const principal = key({ maxBudget: 10, maxRollover: 10 });
    await setClock(START + WINDOW - 1, 1);
    isLate = true;
    const { hold } = await take(limiter, principal, 1);
    expect(hold!.windowStart).toBe(START + WINDOW);
  });

  it("give nothing of a window that has not ended by the database's clock", async () => {
    const limiter = await start();
    const principal = key({ maxBudget: 10, maxRollover: 10 });
    await settle(await take(limiter, principal, 1), 1);
    await setClock(START + WINDOW, -1);
    expect(await room(limiter, principal, 11)).toBe(store.kind === "sqlite");
    await setClock(START + WINDOW);
    expect([await room(limiter, principal, 19), await room(limiter, principal, 20)]).toEqual([true, false]);
  });

  it("let a call that waits for others go on in the next window", async () => {
    const limiter = await start();
    const principal = key({ maxBudget: 10, maxRollover: 5 });
    const first = await take(limiter, principal, 10);
    const second = Promise.resolve(
      limiter.reserve({ principal, model: "m", estimatedTokens: 1, estimatedCost: 10 }),
    );
    await setClock(START + WINDOW);
    expect((await second).hold!.windowStart).toBe(START + WINDOW);
    await settle(first, 10);
  });

  it("are as a simple model has them, whatever happens in whatever order", async () => {
    for (let round = 0; round < 4; round += 1) {
      let limiter = await start();
      const owner = `k${round}`;
      let now = START + below(3) * WINDOW;
      await setClock(now);
      const spent = new Map<number, number>();
      let running: { reservation: Reservation; amount: number; window: number }[] = [];
      let budget = 10 + below(20);
      const most = 1 + below(20);
      let increase = 0;
      let increaseUntil = 0;
      /** What the window before had, as far as anything rolls over from it; calls find out when it is changed. */
      let before = { until: Number.POSITIVE_INFINITY, budget: 0 };
      let seen: number | undefined;
      for (let step = 0; step < 120; step += 1) {
        const window = Math.floor(now / WINDOW) * WINDOW;
        const what = below(12);
        if (what === 0) {
          now += below(WINDOW);
          await setClock(now);
        } else if (what === 1) budget = 5 + below(30);
        else if (what === 2) [increase, increaseUntil] = [below(10), now + below(WINDOW)];
        else if (what === 3) {
          const to = below(10);
          const owners = [owner] as const;
          await limiter.lowering(() =>
            store.db.transaction().execute((db) => lowerSpend(store, db, { owners, isKey: true, to })),
          );
          for (const [each, sum] of spent) spent.set(each, Math.min(sum, to));
        } else if (what === 4 && running.length === 0) {
          await limiter.close();
          toClose.splice(toClose.indexOf(limiter), 1);
          limiter = await start();
        } else if (what < 8 && running.length > 0) {
          const [call] = running.splice(below(running.length), 1);
          const cost = below(call!.amount + 2);
          await settle(call!.reservation, cost, owner);
          spent.set(call!.window, (spent.get(call!.window) ?? 0) + cost);
        } else {
          const amount = 1 + below(15);
          const held = (at: number): number =>
            running.reduce((sum, call) => sum + (call.window === at ? call.amount : 0), 0);
          const used = (at: number): number => (spent.get(at) ?? 0) + held(at);
          if (seen === undefined) before = { until: now, budget: 0 };
          else if (seen !== budget)
            before = { until: now, budget: Math.min(before.until >= window ? before.budget : seen, budget) };
          seen = budget;
          const base = before.until >= window ? before.budget : budget;
          const rolled = Math.min(most, Math.max(0, base - used(window - WINDOW)));
          const limit = budget + (now < increaseUntil ? increase : 0) + rolled;
          const principal = key(
            {
              maxBudget: budget,
              maxRollover: most,
              budgetIncrease: { amount: increase, until: increaseUntil },
            },
            owner,
          );
          const rollovers = new Rollovers(store, () => undefined);
          const reservation = await take(limiter, principal, amount).catch(() => undefined);
          const context = { step, budget, rolled, used: used(window), amount };
          expect({ ...context, taken: reservation !== undefined }).toEqual({
            ...context,
            taken: used(window) + amount <= limit,
          });
          if (reservation !== undefined) running.push({ reservation, amount, window });
          if (store.kind === "postgres" || running.length === 0) {
            const bounds = { start: window, end: window + WINDOW };
            const budget = { owner, limits: principal.limits, window: bounds };
            const told = await rollovers.amounts([{ ...budget, owner: "nobody" }, budget, budget]);
            const amount = Math.min(most, Math.max(0, base - used(window - WINDOW)));
            expect(told).toEqual([0, amount, amount]);
          }
        }
      }
      for (const { reservation } of running) reservation.release();
      running = [];
    }
  });

  it("are never passed while clocks differ and windows change beneath calls", async () => {
    const replicas = [await start(), ...(store.kind === "postgres" ? [await start(), await start()] : [])];
    const dearest = 0.4;
    /** Some are spent early in each window, and some hardly at all. */
    const keys = [1, 2, 4, 8, 16].map((budget) => ({
      budget,
      most: budget / 2,
      principal: key({ maxBudget: budget, maxRollover: budget / 2 }, `k${budget}`),
      billed: new Map<number, number>(),
    }));
    let isOver = false;
    let asked = 0;
    /** Time goes on as calls are made: a slow machine has as many of them in each window. */
    const clock = (async () => {
      for (let step = 1; step <= 60; step += 1) {
        await setClock(START + step * 500, below(2000) - 1000);
        await until(() => asked >= step * 6);
      }
      isOver = true;
    })();
    const caller = async (): Promise<void> => {
      while (!isOver) {
        const { principal, billed } = keys[below(keys.length)]!;
        const held = await take(replicas[below(replicas.length)]!, principal, dearest).catch(() => undefined);
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve, below(30)));
        if (held === undefined) continue;
        const cost = below(2) === 0 ? dearest : 0.01;
        const { windowStart } = held.hold!;
        billed.set(windowStart!, (billed.get(windowStart!) ?? 0) + cost);
        await settle(held, cost, principal.keyHash);
      }
    };
    await Promise.all([clock, ...Array.from({ length: 12 }, caller)]);
    for (const { budget, most, billed } of keys) {
      const windows = [...billed.keys()];
      expect(windows.length).toBeGreaterThan(2);
      for (const window of windows) {
        const left = Math.max(0, budget - (billed.get(window - WINDOW) ?? 0));
        const rolled = window === Math.min(...windows) ? 0 : Math.min(most, left);
        expect(billed.get(window)).toBeLessThanOrEqual(budget + rolled + 1e-9);
      }
    }
  });
});

const aRow = {
  user_id: null,
  team_id: null,
  model: null,
  model_id: null,
  provider: null,
  call_type: "acompletion",
  status: "success" as const,
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  started_at: START,
  ended_at: START,
  organization_id: null,
  end_user: null,
  tags: null,
  session_id: null,
};
