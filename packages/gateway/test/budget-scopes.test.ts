import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { randomNumbers } from "../../../tools/random-numbers.ts";
import type { GatewayError } from "../src/contract/errors.ts";
import { anonymous, type LimitScope, type Principal } from "../src/contract/principal.ts";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import type { Limiter } from "../src/core/limits/limiter.ts";
import { openLimiter } from "../src/core/limits/open-limiter.ts";
import { describeOnEachStore } from "./support/stores.ts";

const quiet = pino({ level: "silent" });
const below = randomNumbers();
/** From 0 to below 1. */
const random = (): number => below(2 ** 32) / 2 ** 32;
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
const scope = (owner: string, limits: LimitScope["limits"]): LimitScope => ({
  owner,
  name: `the ${owner}`,
  limits,
});

describeOnEachStore("Limits and budgets that calls of several keys share", ({ open }) => {
  const toClose: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of toClose.splice(0).reverse()) await each.close();
  });

  /** Replicas where the store can have several. */
  async function limiters() {
    const store = await open();
    const spend = new SpendStore(store);
    const before = (owner: string, start: number | undefined) => spend.spentIn({ owner, windowStart: start });
    const start = () => openLimiter(undefined, before, quiet, store);
    const all = store.kind === "postgres" ? [await start(), await start(), await start()] : [await start()];
    toClose.push(store, ...all);
    return { store, all, start };
  }

  const key = (
    keyHash: string,
    scopes: readonly LimitScope[],
    limits: Principal["limits"] = {},
  ): Principal => ({
    ...anonymous,
    keyHash,
    limits,
    scopes,
  });

  const take = async (limiter: Limiter, principal: Principal, estimatedCost: number) =>
    limiter.reserve({ principal, model: "m", estimatedTokens: 1, estimatedCost });

  it("hold at every level of random trees, and refuse nobody while all levels have some left", async () => {
    const { all } = await limiters();
    for (let tree = 0; tree < 5; tree += 1) {
      const level = (name: string) => scope(`${name} of ${tree}`, { maxBudget: 1 + random() * 4 });
      const organization = level("organization");
      const teams = [level("team 1"), level("team 2")];
      const users = [level("user 1"), level("user 2"), level("user 3")];
      const keys = Array.from({ length: 6 }, (_, index) => {
        const some = [organization, pick(teams), pick(users)].filter(() => random() < 0.8);
        // In any order: no two calls may wait for each other.
        some.sort(() => random() - 0.5);
        const limits = random() < 0.5 ? { maxBudget: random() * 2 } : {};
        return key(`key ${index} of ${tree}`, some, limits);
      });
      const billed = new Map<string, number>();
      const call = async (): Promise<void> => {
        const principal = pick(keys);
        const budgets = [scope(principal.keyHash, principal.limits), ...(principal.scopes ?? [])];
        try {
          const cost = random() * 0.3;
          const held = await take(pick(all), principal, 0.3);
          await new Promise((resolve) => setTimeout(resolve, random() * 5));
          for (const { owner } of budgets) billed.set(owner, (billed.get(owner) ?? 0) + cost);
          held.settle(undefined, cost);
        } catch (error) {
          expect(error).toMatchObject({ status: 402 });
          const spent = budgets.filter(
            ({ owner, limits }) => (billed.get(owner) ?? 0) >= (limits.maxBudget ?? Number.POSITIVE_INFINITY),
          );
          const names = spent.map(({ owner, name }) => (owner === principal.keyHash ? "this api key" : name));
          expect(names.some((name) => (error as GatewayError).message.includes(name))).toBe(true);
        }
      };
      await Promise.all(Array.from({ length: 120 }, call));
      for (const { keyHash, limits, scopes = [] } of keys)
        for (const { owner, limits: own } of [scope(keyHash, limits), ...scopes])
          expect(billed.get(owner) ?? 0).toBeLessThanOrEqual(
            (own.maxBudget ?? Number.POSITIVE_INFINITY) + 0.3,
          );
    }
  });

  it("take nothing of any level when one of them refuses, and name that one", async () => {
    const { all } = await limiters();
    const team = scope("team", { maxBudget: 1, rpm: 3 });
    const spent = key("spent", [team], { maxBudget: 0.1 });
    const other = key("other", [team], { maxBudget: 5 });
    (await take(all[0]!, spent, 0.1)).settle(undefined, 0.1);
    const own = await take(all[0]!, spent, 0.1).catch((error: unknown) => error as GatewayError);
    expect(own).toMatchObject({ status: 402, message: expect.stringContaining("this api key") });
    (await take(all[0]!, other, 0.9)).settle(undefined, 0.9);
    const above = await take(all[0]!, other, 0.1).catch((error: unknown) => error as GatewayError);
    expect(above).toMatchObject({ status: 402, message: expect.stringContaining("the team") });
    const rich = key("rich", [scope("team", { rpm: 3 })]);
    await take(all[0]!, rich, 0);
    const fast = await take(all[0]!, rich, 0).catch((error: unknown) => error as GatewayError);
    expect(fast).toMatchObject({ status: 429, message: expect.stringContaining("the team") });
  });

  it("go on after a restart from what the spend log has, with and without windows", async () => {
    const { store, all, start } = await limiters();
    const principal = key("k", [
      scope("team", { maxBudget: 1 }),
      scope("user", { maxBudget: 2, budgetDuration: "365d" }),
    ]);
    const reservation = await take(all[0]!, principal, 0.7);
    reservation.settle(undefined, 0.7);
    const hold = reservation.hold!;
    const row = {
      id: hold.id,
      request_id: "r",
      key_hash: "k",
      user_id: null,
      team_id: null,
      model: null,
      model_id: null,
      provider: null,
      call_type: "acompletion",
      status: "success",
      prompt_tokens: 0,
      completion_tokens: 0,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      spend: 0.7,
      started_at: Date.now(),
      ended_at: Date.now(),
      organization_id: null,
      end_user: null,
      tags: null,
      session_id: null,
    };
    const sink = await openSpendSink(store.location);
    toClose.push(sink);
    const text = textOfRow({ row, ...hold });
    await sink.write([text]);
    await sink.write([text]);
    const again = await start();
    toClose.push(again);
    const room = async (cost: number): Promise<boolean> => {
      const request = { principal, model: "m", estimatedTokens: 0, estimatedCost: cost, mustFit: true };
      const held = await Promise.resolve(again.reserve(request)).catch(() => undefined);
      held?.release();
      return held !== undefined;
    };
    expect([await room(0.29), await room(0.31)]).toEqual([true, false]);
    const users = new SpendStore(store);
    expect(await users.spentIn({ owner: "team", windowStart: 0 })).toBe(0.7);
    expect(await users.spentIn({ owner: "user", windowStart: hold.scopes[1]!.start })).toBe(0.7);
  });
});
