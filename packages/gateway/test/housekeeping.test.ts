import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import { type Chore, Housekeeping } from "../src/platform/queue/housekeeping.ts";
import type { JobQueue } from "../src/platform/queue/job-queue.ts";
import { openQueue } from "../src/platform/queue/open-queue.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { until } from "./support/until.ts";

const quiet = pino({ level: "silent" });
const soon = { restMs: 10, pollMs: 20, addMs: 200 };

describeOnEachStore("Housekeeping", (opener) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function open(): Promise<JobQueue> {
    const store = await opener.open();
    const queue = await openQueue(store, quiet);
    closers.push(store.close.bind(store), queue.close.bind(queue));
    return queue;
  }

  it("does a chore on one replica at a time, at once again while there is more to do", async () => {
    let running = 0;
    let most = 0;
    const rounds: string[] = [];
    const chore = (replica: string) => async (): Promise<boolean> => {
      running += 1;
      most = Math.max(most, running);
      await sleep(30);
      running -= 1;
      rounds.push(replica);
      return rounds.length < 3;
    };
    const start = async (replica: string, more: Record<string, Chore> = {}): Promise<Housekeeping> => {
      const chores = { chore: chore(replica), ...more };
      const housekeeping = new Housekeeping(await open(), chores, quiet, soon);
      closers.push(() => housekeeping.stop());
      housekeeping.begin();
      return housekeeping;
    };
    const both = await Promise.all([start("a"), start("b")]);
    await until(() => rounds.length >= 3);
    await Promise.all(both.map((housekeeping) => housekeeping.stop()));
    // What was added later is done later: `c` has looked whether the first chore is due.
    let hasLooked = false;
    const look = async (): Promise<boolean> => {
      hasLooked = true;
      return false;
    };
    const last = await start("c", { look });
    await until(() => hasLooked);
    await last.stop();
    expect(most).toBe(1);
    expect(rounds).toHaveLength(3);
  });

  it("does a chore again that was settled, as a replica does that does not know it", async () => {
    const queue = await open();
    let rounds = 0;
    const chore = async (): Promise<boolean> => {
      rounds += 1;
      return false;
    };
    const housekeeping = new Housekeeping(queue, { chore }, quiet, soon);
    closers.push(() => housekeeping.stop());
    housekeeping.begin();
    await until(async () => rounds === 1 && (await queue.find("housekeeping", "chore"))?.state === "waiting");
    await queue.cancel("housekeeping", "chore");
    await until(() => rounds === 2);
  });

  it("adds its chores when the store is back that was away at the start", async () => {
    const queue = await open();
    let isAway = true;
    const standIn: JobQueue = Object.assign(Object.create(queue) as JobQueue, {
      enqueue: async (...given: Parameters<JobQueue["enqueue"]>) => {
        if (isAway) throw new Error("away");
        return queue.enqueue(...given);
      },
      lease: queue.lease.bind(queue),
      schedule: queue.schedule.bind(queue),
      finish: queue.finish.bind(queue),
      removeSettled: queue.removeSettled.bind(queue),
    });
    let rounds = 0;
    const chore = async (): Promise<boolean> => {
      rounds += 1;
      return false;
    };
    const housekeeping = new Housekeeping(standIn, { chore }, quiet, soon);
    closers.push(() => housekeeping.stop());
    housekeeping.begin();
    isAway = false;
    await until(() => rounds > 0);
  });

  it("goes on after a chore that failed", async () => {
    let rounds = 0;
    const broken = async (): Promise<boolean> => {
      rounds += 1;
      if (rounds === 1) throw new Error("broken");
      return false;
    };
    const housekeeping = new Housekeeping(await open(), { broken }, quiet, soon);
    closers.push(() => housekeeping.stop());
    housekeeping.begin();
    await until(() => rounds >= 2);
  });
});
