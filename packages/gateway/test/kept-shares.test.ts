import { randomUUID } from "node:crypto";
import type { KyselyPlugin } from "kysely";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { GatewayError } from "../src/contract/errors.ts";
import { anonymous, type Principal } from "../src/contract/principal.ts";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { PostgresSink } from "../src/core/ledger/journal/postgres-sink.ts";
import { HOLD_LEASE } from "../src/core/limits/counters.ts";
import type { Limiter, Reservation } from "../src/core/limits/limiter.ts";
import { openLimiter } from "../src/core/limits/open-limiter.ts";
import { SharedBudgets } from "../src/core/limits/shared-budgets.ts";
import { openPostgresStore } from "../src/platform/store/open-store.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";
import { hasPostgres } from "./support/services.ts";
import { describeOnEachStore } from "./support/stores.ts";

const quiet = pino({ level: "silent" });
const as = { requestId: "resp_1", callType: "aresponses_background" };

const caller = (): Principal => ({ ...anonymous, keyHash: randomUUID(), limits: { maxBudget: 50 } });

/** Whether so many dollars are free at the moment. */
async function hasRoom(limiter: Limiter, principal: Principal, estimatedCost: number): Promise<boolean> {
  try {
    const request = { principal, model: "m", estimatedTokens: 0, estimatedCost, mustFit: true };
    (await limiter.reserve(request)).release();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    return false;
  }
}

const noRow = {
  key_hash: "",
  user_id: null,
  team_id: null,
  model: null,
  model_id: null,
  provider: null,
  status: "success",
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  spend: 1,
  started_at: 0,
  ended_at: 0,
  organization_id: null,
  end_user: null,
  tags: null,
  session_id: null,
};

describeOnEachStore("A share of a budget that is kept until its cost is known", ({ open }) => {
  const toClose: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of toClose.splice(0).reverse()) await each.close();
  });

  async function gateway(): Promise<{ limiter: Limiter; store: Store }> {
    const store = await open();
    const limiter = await openLimiter(undefined, async () => 0, quiet, store);
    toClose.push(store, limiter);
    return { limiter, store };
  }

  async function keep(limiter: Limiter, principal: Principal): Promise<void> {
    const request = { principal, model: "m", estimatedTokens: 0, estimatedCost: 40 };
    await (await limiter.reserve(request)).keepUntilSpent(as);
  }

  it("outlives the process, and ends with the row of the spend log", async () => {
    const principal = caller();
    const first = await gateway();
    await keep(first.limiter, principal);
    expect(await hasRoom(first.limiter, principal, 20)).toBe(false);
    await first.limiter.close();
    const { limiter, store } = await gateway();
    expect(await hasRoom(limiter, principal, 20)).toBe(false);
    expect(await hasRoom(limiter, principal, 5)).toBe(true);
    const row = { ...noRow, id: "1", request_id: as.requestId, call_type: as.callType };
    await store.db
      .insertInto("spend_logs")
      .values({ ...row, id: "0", call_type: "another" })
      .execute();
    expect(await hasRoom(limiter, principal, 20)).toBe(false);
    await store.db.insertInto("spend_logs").values(row).execute();
    await expect.poll(() => hasRoom(limiter, principal, 20)).toBe(true);
    await expect.poll(() => store.db.selectFrom("budget_holds").selectAll().execute()).toEqual([]);
  });

  it("ends where no row will come", async () => {
    const principal = caller();
    const { limiter } = await gateway();
    await keep(limiter, principal);
    await limiter.forget({ ...as, callType: "another" });
    expect(await hasRoom(limiter, principal, 20)).toBe(false);
    await limiter.forget(as);
    expect(await hasRoom(limiter, principal, 20)).toBe(true);
  });
});

describe.skipIf(!hasPostgres)("Budgets that replicas share in PostgreSQL", () => {
  let postgres: TestPostgres;
  const toClose: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterEach(async () => {
    for (const each of toClose.splice(0).reverse()) await each.close();
  });
  afterAll(() => postgres?.stop());

  async function replicas(): Promise<{ one: Limiter; other: Limiter; store: Store; url: string }> {
    const url = await postgres.createDatabase();
    const store = await openPostgresStore(url, quiet);
    const one = await openLimiter(undefined, async () => 0, quiet, store);
    const other = await openLimiter(undefined, async () => 0, quiet, store);
    toClose.push(store, one, other);
    return { one, other, store, url };
  }

  async function reserve(
    limiter: Limiter,
    principal: Principal,
    estimatedCost: number,
  ): Promise<Reservation> {
    return limiter.reserve({ principal, model: "m", estimatedTokens: 0, estimatedCost });
  }

  const holds = ({ db }: Store) => db.selectFrom("budget_holds").selectAll().execute();

  it("count what is kept for something that goes on, at every replica", async () => {
    const { one, other } = await replicas();
    const principal = caller();
    await (await reserve(one, principal, 40)).keepUntilSpent(as);
    expect(await hasRoom(other, principal, 20)).toBe(false);
    await one.close();
    expect(await hasRoom(other, principal, 20)).toBe(false);
    await other.forget(as);
    expect(await hasRoom(other, principal, 20)).toBe(true);
  });

  it("count a call that is over once, before and after its row is in the spend log", async () => {
    const { one, other, store, url } = await replicas();
    const principal = caller();
    const reservation = await reserve(one, principal, 40);
    reservation.settle(undefined, 30);
    await expect.poll(async () => (await holds(store))[0]?.amount).toBe(30);
    // Its process may end: what it cost stays.
    expect((await holds(store))[0]!.alive_until - Date.now()).toBeGreaterThan(100 * HOLD_LEASE);
    const sink = new PostgresSink(url);
    toClose.push(sink);
    expect([await hasRoom(other, principal, 20), await hasRoom(other, principal, 20.1)]).toEqual([
      true,
      false,
    ]);
    const row = { ...noRow, id: reservation.hold!.id, request_id: "x", call_type: "y", spend: 30 };
    const text = textOfRow({
      row: { ...row, key_hash: principal.keyHash },
      windowStart: undefined,
      scopes: [],
    });
    await sink.write([text, text]);
    await sink.write([text]);
    await expect.poll(() => holds(store)).toEqual([]);
    expect([await hasRoom(other, principal, 20), await hasRoom(other, principal, 20.1)]).toEqual([
      true,
      false,
    ]);
  });

  it("hear of the end of a call after its row is in the journal", async () => {
    const { store } = await replicas();
    const id = randomUUID();
    const told: string[] = [];
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (JSON.stringify(node).includes(id)) told.push("database");
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const budgets = new SharedBudgets({ ...store, db: store.db.withPlugin(plugin) }, quiet);
    toClose.push(budgets);
    const share = { owner: randomUUID(), amount: 40, windowStart: undefined, windowEnd: undefined };
    expect(await budgets.claim(id, [{ ...share, name: "this api key", limit: 50 }], false)).toEqual({
      taken: true,
    });
    const before = told.length;
    budgets.finish(id, 30);
    // As the ledger does with the rows of a turn of the event loop.
    setImmediate(() => told.push("journal"));
    await expect.poll(async () => (await holds(store))[0]?.amount).toBe(30);
    expect(told.slice(before)[0]).toBe("journal");
  });

  it("are on the database's disk before a call begins, so that its crash forgets none", async () => {
    const { store } = await replicas();
    const budgets = new SharedBudgets(store, quiet);
    toClose.push(budgets);
    const share = { owner: randomUUID(), amount: 40, windowStart: undefined, windowEnd: undefined };
    const ids = Array.from({ length: 5 }, () => randomUUID());
    for (const id of ids) await budgets.claim(id, [{ ...share, name: "this api key", limit: 500 }], false);
    postgres.crash();
    // They end before anybody has noticed, so that nobody shows them again.
    for (const id of ids) budgets.finish(id, 40);
    postgres.startAgain();
    await expect.poll(() => holds(store).catch(() => [])).toHaveLength(ids.length);
  });

  it("hold a share for half a minute from the last sign of life of whoever has it", async () => {
    const { one, other, store } = await replicas();
    const principal = caller();
    const running = await reserve(one, principal, 40);
    const expiry = async (): Promise<number> => (await holds(store))[0]?.alive_until ?? 0;
    const first = await expiry();
    expect(first - Date.now()).toBeLessThanOrEqual(HOLD_LEASE);
    await expect.poll(expiry).toBeGreaterThan(first);
    running.release();
    await expect.poll(expiry).toBe(0);
    await reserve(one, principal, 40);
    expect(await hasRoom(other, principal, 20)).toBe(false);
    await store.db.updateTable("budget_holds").set({ alive_until: 1 }).execute();
    expect(await hasRoom(other, principal, 20)).toBe(true);
  });

  it("refuse at once when the budget is spent, also while the spend log does not have it", async () => {
    const { one, other } = await replicas();
    const principal = caller();
    (await reserve(one, principal, 60)).settle(undefined, 55);
    const refused = await reserve(other, principal, 1).catch((error: unknown) => error as GatewayError);
    expect(refused).toMatchObject({ status: 402, message: expect.stringContaining("$55 of $50 are spent") });
  });
});
