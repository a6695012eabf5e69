import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import type { JobQueue, Lease } from "../src/platform/queue/job-queue.ts";
import { openQueue } from "../src/platform/queue/open-queue.ts";
import { Worker } from "../src/platform/queue/worker.ts";
import { describeOnEachEmptyStore } from "./support/stores.ts";
import { until } from "./support/until.ts";

const quiet = pino({ level: "silent" });

describeOnEachEmptyStore("The durable queue", (opener) => {
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

  async function leaseOne(queue: JobQueue, name: string, leaseMs = 10_000): Promise<Lease> {
    const [lease] = await queue.lease(name, 1, leaseMs);
    expect(lease).toBeDefined();
    return lease!;
  }

  async function leaseLater(queue: JobQueue, name: string): Promise<Lease> {
    const [lease] = await until(
      () => queue.lease(name, 1),
      (leases) => leases.length > 0,
    );
    return lease!;
  }

  it("hands a job to one worker only, with its payload", async () => {
    const [a, b] = [await open(), await open()];
    expect(await a.enqueue("one", "k", { n: 1 })).toBe(true);
    const leases = (await Promise.all([a.lease("one", 5), b.lease("one", 5)])).flat();
    expect(
      leases.map(({ key, payload, attempt, checkpoint }) => ({ key, payload, attempt, checkpoint })),
    ).toEqual([{ key: "k", payload: { n: 1 }, attempt: 1, checkpoint: undefined }]);
  });

  it.each(["a\u0000b", "\ud800", "\udc00\ud800", "\\u0000", "\u{1f600}"])(
    "keeps any text in a payload, through every way of a job: %j",
    async (text) => {
      const queue = await open();
      const payload = { text, [text]: [text] };
      expect(await queue.enqueue("texts", "k", payload, { maxAttempts: 2 })).toBe(true);
      const first = await leaseOne(queue, "texts");
      expect(first.payload).toEqual(payload);
      await queue.checkpoint(first, payload);
      await queue.schedule(first, Date.now());
      const second = await leaseLater(queue, "texts");
      expect(second).toMatchObject({ payload, checkpoint: payload });
      await queue.fail(second, text, Date.now());
      const third = await leaseLater(queue, "texts");
      expect(third.payload).toEqual(payload);
      await queue.fail(third, text, Date.now());
      expect(await queue.find("texts", "k")).toMatchObject({ state: "failed", payload });
    },
  );

  it("takes jobs of new queues from several replicas at once", async () => {
    const replicas = await Promise.all([open(), open(), open()]);
    const names = Array.from({ length: 6 }, (_, index) => `new-${index}`);
    const added = await Promise.all(
      replicas.flatMap((replica) => names.map((name) => replica.enqueue(name, "k", {}))),
    );
    expect(added.filter(Boolean)).toHaveLength(names.length);
    for (const name of names) await leaseOne(replicas[0]!, name);
  });

  it("does not add a job twice while it waits or runs, and replaces a settled one", async () => {
    const queue = await open();
    expect(await queue.enqueue("twice", "k", { n: 1 })).toBe(true);
    expect(await queue.enqueue("twice", "k", { n: 2 })).toBe(false);
    const lease = await leaseOne(queue, "twice");
    expect(await queue.enqueue("twice", "k", { n: 2 })).toBe(false);
    expect(await queue.finish(lease)).toBe(true);
    expect(await queue.enqueue("twice", "k", { n: 3 })).toBe(true);
    expect((await leaseOne(queue, "twice")).payload).toEqual({ n: 3 });
  });

  it("adds a job together with a transaction, or not at all", async () => {
    const store = await opener.open();
    const queue = await openQueue(store, quiet);
    closers.push(store.close.bind(store), queue.close.bind(queue));
    const enqueue = (key: string, fails: boolean): Promise<void> =>
      store.db.transaction().execute(async (within) => {
        expect(await queue.enqueue("within", key, {}, { within })).toBe(true);
        if (fails) throw new Error("taken back");
      });
    await queue.enqueue("within", "before", {});
    await expect(enqueue("lost", true)).rejects.toThrow("taken back");
    await enqueue("kept", false);
    expect(await queue.find("within", "lost")).toBeUndefined();
    expect((await queue.lease("within", 5)).map(({ key }) => key).sort()).toEqual(["before", "kept"]);
  });

  it("gives a dead worker's job to another one, with the checkpoint, and shuts the dead one out", async () => {
    const [dead, other] = [await open(), await open()];
    await dead.enqueue("dead", "k", {});
    const lost = await leaseOne(dead, "dead", 1000);
    expect(await dead.checkpoint(lost, { row: 7 })).toBe(true);
    const taken = await leaseLater(other, "dead");
    expect(taken).toMatchObject({ key: "k", attempt: 2, checkpoint: { row: 7 } });
    expect(await dead.checkpoint(lost, { row: 8 })).toBe(false);
    expect(await dead.renew(lost)).toBe(false);
    expect(await dead.finish(lost)).toBe(false);
    expect(await other.finish(taken)).toBe(true);
    expect((await other.find("dead", "k"))?.state).toBe("finished");
  });

  it("keeps a renewed lease", async () => {
    const queue = await open();
    await queue.enqueue("renewed", "k", {});
    const lease = await leaseOne(queue, "renewed", 1000);
    expect(await queue.renew(lease, 60_000)).toBe(true);
    await queue.enqueue("renewed", "left alone", {});
    expect((await leaseOne(queue, "renewed", 1000)).key).toBe("left alone");
    // By the time that the later lease has run out, the earlier one would have, too.
    expect((await leaseLater(queue, "renewed")).key).toBe("left alone");
    expect(await queue.lease("renewed", 1)).toEqual([]);
    expect(await queue.finish(lease)).toBe(true);
  });

  it("cancels and ends jobs at the same moment without an error", async () => {
    const [worker, other] = [await open(), await open()];
    for (let round = 0; round < 40; round += 1) {
      await worker.enqueue("both", `k${round}`, {});
      const lease = await leaseOne(worker, "both");
      await Promise.all([worker.schedule(lease, Date.now() + 60_000), other.cancel("both", lease.key)]);
    }
  });

  it("tries a failed job again until its attempts are used up", async () => {
    const queue = await open();
    await queue.enqueue("failing", "k", {}, { maxAttempts: 2 });
    expect(await queue.fail(await leaseOne(queue, "failing"), "first", Date.now() - 1)).toBe(true);
    expect(await queue.find("failing", "k")).toMatchObject({ state: "waiting", error: "first" });
    const second = await leaseOne(queue, "failing");
    expect(second.attempt).toBe(2);
    expect(await queue.fail(second, "second", Date.now() - 1)).toBe(true);
    expect(await queue.find("failing", "k")).toMatchObject({ state: "failed", error: "second" });
    expect(await queue.lease("failing", 1)).toEqual([]);
  });

  it("does not count a job that asked to go on later as an attempt", async () => {
    const queue = await open();
    await queue.enqueue("slices", "k", {}, { maxAttempts: 2 });
    for (let slice = 0; slice < 5; slice++) {
      const lease = await leaseOne(queue, "slices");
      expect(lease.attempt).toBe(1);
      expect(await queue.checkpoint(lease, { slice })).toBe(true);
      expect(await queue.schedule(lease, Date.now() - 1)).toBe(true);
    }
    expect((await leaseOne(queue, "slices")).checkpoint).toEqual({ slice: 4 });
  });

  it("holds a job back until its time, and takes higher priorities first", async () => {
    const queue = await open();
    await queue.enqueue("order", "later", {}, { runAt: Date.now() + 60_000 });
    await queue.enqueue("order", "low", {});
    await queue.enqueue("order", "high", {}, { priority: 5 });
    expect((await leaseOne(queue, "order")).key).toBe("high");
    expect((await leaseOne(queue, "order")).key).toBe("low");
    expect(await queue.lease("order", 1)).toEqual([]);
  });

  it("counts what waits and what runs, and not what is done", async () => {
    const queue = await open();
    for (const key of ["a", "b", "c", "d"]) await queue.enqueue("counted", key, {});
    await queue.enqueue("counted", "later", {}, { runAt: Date.now() + 60_000 });
    const [first] = await queue.lease("counted", 2);
    await queue.finish(first!);
    const depths = await queue.depths();
    expect(depths.find((depth) => depth.queue === "counted")).toMatchObject({ waiting: 3, running: 1 });
  });

  it("cancels a waiting or running job", async () => {
    const queue = await open();
    await queue.enqueue("cancelled", "k", {});
    const lease = await leaseOne(queue, "cancelled");
    expect(await queue.cancel("cancelled", "k")).toBe(true);
    expect(await queue.renew(lease)).toBe(false);
    expect(await queue.finish(lease)).toBe(false);
    expect((await queue.find("cancelled", "k"))?.state).toBe("cancelled");
    expect(await queue.cancel("cancelled", "k")).toBe(false);
  });

  describe("with a worker", () => {
    it("runs jobs to their end, through errors and slices", async () => {
      const queue = await open();
      const seen: string[] = [];
      let finish = (): void => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      await queue.enqueue("worked", "k", {});
      const worker = new Worker({
        queue,
        name: "worked",
        concurrency: 2,
        pollMs: 20,
        onError: (error) => seen.push((error as Error).message),
        handler: async (lease) => {
          if (lease.checkpoint === undefined) {
            await queue.checkpoint(lease, { step: 1 });
            throw new Error("step 1 broke");
          }
          if (lease.checkpoint.step === 1) {
            await queue.checkpoint(lease, { step: 2 });
            return { again: Date.now() };
          }
          finish();
          return { done: true };
        },
      });
      await finished;
      await worker.stop();
      expect(seen).toEqual(["step 1 broke"]);
      expect((await queue.find("worked", "k"))?.state).toBe("finished");
    });

    it("gives its job back at once when it is stopped", async () => {
      const queue = await open();
      await queue.enqueue("stopped", "k", {});
      let started = (): void => {};
      const running = new Promise<void>((resolve) => {
        started = resolve;
      });
      const worker = new Worker({
        queue,
        name: "stopped",
        concurrency: 1,
        pollMs: 20,
        onError: () => {},
        handler: async (_lease, signal) => {
          started();
          await sleep(60_000, undefined, { signal });
          return { done: true };
        },
      });
      await running;
      await worker.stop();
      expect(await queue.find("stopped", "k")).toMatchObject({ state: "waiting", error: undefined });
    });
  });
});
