import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { IdempotencyStore } from "../src/core/idempotency/idempotency-store.ts";
import { completeJournal, settleAbandoned } from "../src/features/responses/record/abandoned.ts";
import { ResponseStore } from "../src/features/responses/record/store.ts";
import type { ResponseRow } from "../src/features/responses/record/table.ts";
import type { ResponseState } from "../src/features/responses/response-deps.ts";
import { ResponseService } from "../src/features/responses/response-service.ts";
import { Journal } from "../src/platform/journal/journal.ts";
import { JournalStore } from "../src/platform/journal/journal-store.ts";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { describeOnEachStore } from "./support/stores.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-retention-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function row(id: string, more: Partial<ResponseRow> = {}): ResponseRow {
  return {
    id,
    tenant: "key:a",
    previous_id: null,
    conversation_id: null,
    deployment_id: null,
    provider_id: null,
    provider: null,
    status: "completed",
    created_at: 1,
    expires_at: null,
    alive_until: null,
    answer: JSON.stringify({ id, object: "response", status: "completed" }),
    job: null,
    ...more,
  };
}

const item = (id: string) => ({ id, type: "message" });

describeOnEachStore("The store", (opener) => {
  let store: Store;
  async function open(): Promise<ResponseStore> {
    store = await opener.open();
    return new ResponseStore(store);
  }

  it("reads chains with their items in their order", async () => {
    const responses = await open();
    for (const [id, previous_id] of [
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ] as const)
      await responses.insertFinished(row(id, { previous_id }), {
        input: [item(`${id}1`), item(`${id}2`)],
        output: [item(`${id}3`)],
      });
    expect((await responses.chain("c")).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    const items = await responses.itemsOf(["a", "b"]);
    expect(items.get("b")).toEqual({ input: [item("b1"), item("b2")], output: [item("b3")] });
    const size = JSON.stringify(item("b3")).length;
    expect(await responses.findItem("key:a", "b3")).toEqual({ item: item("b3"), size, knownAt: undefined });
    expect(await responses.findItem("key:b", "b3")).toBeUndefined();
    await store.close();
  });

  it("ends a response once, and deletes it with everything that belongs to it", async () => {
    const responses = await open();
    await responses.insert(row("d", { status: "in_progress" }), [item("d1")]);
    const last = { sequence: 0, data: "end", last: true };
    const end = () => responses.finish(row("d"), { input: [], output: [item("d2")] }, ["completed"], last);
    expect(await Promise.all([end(), end()].map((ended) => ended.catch(() => false)))).toContain(true);
    expect(await responses.items("d", "output")).toEqual([item("d2")]);
    await responses.delete("d");
    expect(await responses.items("d", "input")).toEqual([]);
    expect(await new JournalStore(store).lastEntry("d")).toBeUndefined();
    await store.close();
  });

  it("fails a response when the process that wrote it is gone", async () => {
    const responses = await open();
    const journal = new Journal(new JournalStore(store));
    const state = { responses, journal } as unknown as ResponseState;
    await responses.insert(row("e", { status: "in_progress", alive_until: Date.now() + 60_000 }), []);
    expect(await completeJournal(state, "e")).toBe(false);
    await responses.update("e", { alive_until: 1 });
    expect(await settleAbandoned(state, "e")).toMatchObject({ status: "failed" });
    expect(await completeJournal(state, "e")).toBe(true);
    const signal = new AbortController().signal;
    const events: string[] = [];
    for await (const data of journal.follow("e", { after: -1, signal, isOver: async () => true }))
      events.push(data);
    expect(events.join("")).toMatch(/^event: response.failed\n/);
    expect(await completeJournal(state, "e")).toBe(true);
    await store.close();
  });

  it("lets readers follow a stream from its beginning, late or in the middle", async () => {
    await open();
    const journal = new Journal(new JournalStore(store));
    const other = new Journal(new JournalStore(store));
    const writer = journal.open("s");
    const signal = new AbortController().signal;
    const read = async (from: Journal, after: number): Promise<string> => {
      let text = "";
      for await (const data of from.follow("s", { after, signal, isOver: async () => false }))
        text += `${data},`;
      return text;
    };
    const early = [read(journal, -1), read(other, -1), read(journal, 700)];
    for (let sequence = 0; sequence < 2000; sequence += 1)
      await writer.write({ sequence, data: String(sequence), last: sequence === 1999 });
    await writer.close();
    const whole = await read(other, -1);
    expect(whole).toBe(Array.from({ length: 2000 }, (_, index) => `${index},`).join(""));
    expect(await Promise.all(early)).toEqual([whole, whole, whole.slice(whole.indexOf("701,"))]);
    await store.close();
  });

  it("gives an Idempotency-Key to one of many, and away from those who are gone", async () => {
    await open();
    const keys = new IdempotencyStore(store);
    const key = (owner: string, alive_until: number) => ({
      id: "k",
      request_hash: "h",
      state: "running" as const,
      owner,
      alive_until,
      expires_at: 10,
      status: null,
      headers: null,
      body: null,
    });
    const claims = await Promise.all(["1", "2", "3"].map((owner) => keys.claim(key(owner, 1))));
    expect(claims.filter(Boolean).length).toBe(1);
    const found = (await keys.find("k"))!;
    const taken = await Promise.all(["4", "5"].map((owner) => keys.takeOver(key(owner, 5), found)));
    expect(taken.filter(Boolean).length).toBe(1);
    expect(await keys.update(found, { status: 200 })).toBe(false);
    expect(await keys.removeExpired(20, 10)).toEqual(["k"]);
    await store.close();
  });
});

describe("Retention", () => {
  it("removes responses whose time is over, with their items, and keeps chains that are in use", async () => {
    const day = 86_400_000;
    const store = await openSqliteStore(folder);
    const responses = new ResponseStore(store);
    const now = Date.now();
    await responses.insertFinished(row("old", { expires_at: now - 1 }), { input: [item("x")], output: [] });
    await responses.insertFinished(row("used", { expires_at: now - 1 }), { input: [item("y")], output: [] });
    await responses.prolong(["used"], now + day);
    const deps = {
      calls: {},
      ownership: { forget: async () => undefined },
      state: { responses, journal: new Journal(new JournalStore(store)), queue: idleQueue },
      logger: { warn: () => undefined },
    };
    const service = new ResponseService(deps as never);
    expect(await service.removeExpired()).toBe(false);
    expect(await responses.find("old")).toBeUndefined();
    expect(await responses.items("old", "input")).toEqual([]);
    expect(await responses.items("used", "input")).toEqual([item("y")]);
    await service.close();
    await store.close();
  });
});

const idleQueue = { lease: async () => [] };
