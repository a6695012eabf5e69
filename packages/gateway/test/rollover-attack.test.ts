import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Store } from "../src/platform/store/schema.ts";
import { sha256 } from "../src/util/sha256.ts";
import { Fleet } from "./attack-budgets/fleet.ts";
import { MASTER_KEY } from "./support/gateway.ts";
import { hasPostgres, hasRedis } from "./support/services.ts";
import { until } from "./support/until.ts";

/** US dollars of a call. */
const CALL = 0.01;
const CENT = 1e-9;
/** Milliseconds of a window: short, so that calls meet its end again and again. */
const WINDOW = 2000;
const seconds = Number(process.env.ROLLOVER_SECONDS ?? 12);
/** Each budget is met in as many windows at least, which takes a slow machine longer. */
const MIN_WINDOWS = 3;
/** Answers that come between two kills: processes that are killed before they answer would bill nothing. */
const ANSWERS = 20;

/** A budget under attack. */
interface Target {
  readonly key: string;
  readonly budget: number;
  readonly most: number;
}

/**
 * Callers who spend more than a budget has in some windows and less in others, while processes are killed. What is billed
 * in a window never passes the budget and what the last window left by more than one call.
 */
describe.each([
  { name: "three replicas", replicas: 3, workers: 1 },
  { name: "four workers", replicas: 1, workers: 4 },
])("Budgets that roll over, of $name", ({ replicas, workers }) => {
  const isPossible = replicas === 1 || (hasPostgres && hasRedis);
  it.skipIf(!isPossible)("hold while processes are killed", { timeout: 300_000 }, async () => {
    const fleet = await Fleet.start(replicas, workers);
    const store = await fleet.openStore();
    let isOver = false;
    let answers = 0;
    try {
      const gateway = await fleet.any(0);
      const targets: Target[] = [];
      for (const calls of [3, 8, 20, 50]) {
        const [budget, most] = [(calls - 0.5) * CALL, (calls / 2) * CALL];
        const limits = { max_budget: budget, max_rollover: most, budget_duration: `${WINDOW / 1000}s` };
        const made = await gateway.call("/key/generate", { body: limits, key: MASTER_KEY });
        targets.push({ key: ((await made.json()) as { key: string }).key, budget, most });
      }
      const began = Date.now();
      const end = performance.now() + seconds * 1000;
      const kills = (async () => {
        for (let turn = 0; !isOver; turn += 1) {
          const enough = answers + ANSWERS;
          await until(() => answers >= enough);
          await fleet.killOne(turn);
          const met = await Promise.all(
            targets.map(async (target) => (await billedTo(store, target)).length),
          );
          isOver = performance.now() > end && Math.min(...met) >= MIN_WINDOWS;
        }
      })();
      const callers = Array.from({ length: 40 }, (_, at) =>
        callUntil(fleet, targets[at % targets.length]!, at, (isAnswered) => {
          if (isAnswered) answers += 1;
          return isOver;
        }),
      );
      await Promise.all([kills, ...callers]);
      // The rows of whoever was killed are in the store once it is asked.
      for (const { key } of targets) await fleet.billed(key);
      for (const target of targets) judge(target, await billedTo(store, target), began);
    } finally {
      isOver = true;
      await store.close();
      await fleet.close();
    }
  });
});

/**
 * Calls as fast as it can in every other pair of windows, and now and then in the others.
 * @param isOver is told whether the last call was answered
 */
async function callUntil(
  fleet: Fleet,
  { key }: Target,
  at: number,
  isOver: (isAnswered: boolean) => boolean,
): Promise<void> {
  const messages = [{ role: "user", content: "[[sim:tokens 1000]] [[sim:latency 100]]" }];
  for (let made = 0, isAnswered = false; !isOver(isAnswered); made += 1) {
    const isBusy = Math.floor(Date.now() / WINDOW / 2) % 2 === 0;
    if (!isBusy) await sleep(Math.random() * 2 * WINDOW);
    const chosen = await fleet.any(at + made);
    const body = { model: "gpt", max_tokens: 1000, messages };
    // Whoever is killed closes its connections.
    isAnswered = await chosen
      .call("/v1/chat/completions", { key, body })
      .then(async (response) => {
        await response.text();
        return response.ok;
      })
      .catch(() => false);
    if (!isAnswered) await sleep(100);
  }
}

/** What a budget's windows are billed. */
async function billedTo(store: Store, { key }: Target) {
  const rows = store.db.selectFrom("budget_windows").selectAll().where("key_hash", "=", sha256(key));
  return rows.orderBy("window_start").execute();
}

/** @param began when the first call was sent: a window may roll over to the next though all its calls were killed */
function judge({ budget, most }: Target, windows: Awaited<ReturnType<typeof billedTo>>, began: number): void {
  const table = windows.map(({ window_start, spend }) => [Number(window_start), spend] as const);
  const billed = new Map(table);
  if (process.env.ROLLOVER_SECONDS !== undefined)
    process.stdout.write(`${budget}: ${table.map(([, spend]) => spend.toFixed(2)).join(" ")}\n`);
  for (const [start, spend] of table) {
    const left = Math.max(0, budget - (billed.get(start - WINDOW) ?? 0));
    const rolled = start <= began ? 0 : Math.min(most, left);
    expect(spend, JSON.stringify(table)).toBeLessThanOrEqual(budget + rolled + CALL + CENT);
  }
}
