import { mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newCallRecord } from "../../contract/call-record.ts";
import { anonymous, type Principal } from "../../contract/principal.ts";
import { Ingest } from "./journal/ingest.ts";
import { valuesOfText } from "./journal/journaled-row.ts";
import { SegmentWriter } from "./journal/segment-writer.ts";
import type { WriterClient } from "./journal/writer-client.ts";
import type { WriteRequest, WriteResult } from "./journal/writer-thread.ts";
import { JournaledLedger } from "./journaled-ledger.ts";

const principal: Principal = {
  ...anonymous,
  keyHash: "hash",
  limits: { maxBudget: 1, budgetDuration: "1d" },
};

describe("JournaledLedger", () => {
  let folder = "";
  let written: string[];
  let failures: number;
  let settings: { spendJournalMaxMb: number };
  let writes: number;
  let logged: string[];
  let ledger: JournaledLedger;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-ledger-"));
    written = [];
    failures = 0;
    settings = { spendJournalMaxMb: 1 };
    writes = 0;
    logged = [];
    ledger = open();
  });
  afterEach(async () => {
    failures = 0;
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function open(): JournaledLedger {
    const write = ((...parameters: Parameters<typeof writeSync>) => {
      writes += 1;
      return writeSync(...parameters);
    }) as typeof writeSync;
    const options = {
      root: folder,
      config: { current: { generalSettings: settings } },
      onChange: () => undefined,
      write,
    };
    const journal = new SegmentWriter(options);
    const sink = {
      write: async (texts: readonly string[]) => void written.push(...texts),
      isRefusal: () => false,
      close: async () => undefined,
    };
    const ingest = new Ingest(folder, sink, () => undefined);
    const thread = {
      write: async ({ folder: own, isLast, texts }: WriteRequest): Promise<WriteResult> => {
        const failure = failures-- > 0 ? "database away" : undefined;
        if (failure === undefined) {
          await ingest.abandoned(own);
          await ingest.write(texts);
          if (own !== undefined) await ingest.own(own, isLast);
        }
        return { id: 0, failure, bytes: ingest.bytes, refused: 0 };
      },
      close: async () => undefined,
    };
    const writer = thread as unknown as WriterClient;
    const logger = pino({}, { write: (line) => logged.push(line) });
    const gatewaySettings = { timezone: undefined, disableEndUserCostTracking: false };
    return new JournaledLedger(journal, writer, logger, { current: { gatewaySettings } });
  }

  function call(cost: number | undefined) {
    const record = newCallRecord("acompletion");
    record.cost = cost;
    record.status = "success";
    record.usage = { input: 3, output: 4, cacheRead: 1, cacheWrite: 2, reasoning: 0 };
    return record;
  }

  const rows = () => written.map(valuesOfText);

  it("writes each call once, however often it is settled, and equal call ids as two calls", async () => {
    const record = call(0.5);
    ledger.settle({ callId: "same-id", principal, call: record, hold: undefined });
    ledger.settle({ callId: "same-id", principal, call: record, hold: undefined });
    ledger.settle({ callId: "same-id", principal, call: call(0.25), hold: undefined });
    await ledger.flush();
    expect(rows().map((row) => [row[1], row[14]])).toEqual([
      ["same-id", 0.5],
      ["same-id", 0.25],
    ]);
    const start = Math.floor(Date.now() / 86_400_000) * 86_400_000;
    expect(rows().map((row) => row[17])).toEqual([start, start]);
  });

  it("writes tokens and cost of the call; a refused one has none", async () => {
    ledger.settle({ callId: "a", principal, call: call(0.5), hold: undefined });
    ledger.settle({ callId: "b", principal, call: newCallRecord("acompletion"), hold: undefined });
    await ledger.flush();
    expect(rows()[0]!.slice(8, 14)).toEqual(["acompletion", "success", 3, 4, 1, 2]);
    expect(rows()[1]!.slice(8, 15)).toEqual(["acompletion", "failure", 0, 0, 0, 0, 0]);
    expect(rows()[1]![17]).toBe(null);
  });

  it("keeps rows that the database did not take and writes them later", async () => {
    failures = 1;
    ledger.settle({ callId: "a", principal, call: call(0.5), hold: undefined });
    await ledger.flush();
    expect(written).toEqual([]);
    await ledger.flush();
    expect(written).toHaveLength(1);
  });

  it("tells once of a database that takes nothing, and when it takes rows again", async () => {
    failures = 5;
    ledger.settle({ callId: "a", principal, call: call(0.5), hold: undefined });
    for (let turn = 0; turn < 5; turn += 1) expect(await ledger.flush()).toBe(false);
    expect(await ledger.flush()).toBe(true);
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      "spend rows are not in the database yet, trying again every second",
      "the database takes spend rows again",
    ]);
  });

  it("leaves to the next process what the database did not take at the end", async () => {
    failures = 100;
    ledger.settle({ callId: "a", principal, call: call(0.5), hold: undefined });
    await ledger.durable();
    await ledger.close();
    expect(written).toEqual([]);
    failures = 0;
    ledger = open();
    await ledger.flush();
    expect(rows().map((row) => row[1])).toEqual(["a"]);
  });

  it("keeps rows in memory that the journal does not take, and says how many", async () => {
    settings.spendJournalMaxMb = 0;
    ledger.settle({ callId: "a", principal, call: call(0.5), hold: undefined });
    ledger.settle({ callId: "b", principal, call: call(0.5), hold: undefined });
    expect(ledger.state).toEqual({ journalBytes: 0, rowsInMemory: 2, rowsLost: 0 });
    await ledger.durable();
    expect(rows().map((row) => row[1])).toEqual(["a", "b"]);
    expect(ledger.state).toEqual({ journalBytes: 0, rowsInMemory: 0, rowsLost: 0 });
  });

  it("writes calls that end in the same turn at once, and tells each when its row is there", async () => {
    const ends = ["a", "b", "c"].map((callId) =>
      ledger.settleTogether({ callId, principal, call: call(0.5), hold: undefined }),
    );
    expect(writes).toBe(0);
    await Promise.all(ends);
    expect(writes).toBe(1);
    expect(
      ledger.settleTogether({ callId: "d", principal, call: call(0.5), hold: undefined }),
    ).toBeInstanceOf(Promise);
    // One that cannot wait takes along those that can.
    ledger.settle({ callId: "e", principal, call: call(0.5), hold: undefined });
    expect(writes).toBe(2);
    await ledger.flush();
    expect(rows().map((row) => row[1])).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("has nobody wait for ever for a journal that takes nothing, and forgets no row of the turn", async () => {
    settings.spendJournalMaxMb = 0;
    const first = call(0.5);
    const waiting = ledger.settleTogether({ callId: "a", principal, call: first, hold: undefined });
    // A call that is settled again waits for its row as the first time.
    expect(ledger.settleTogether({ callId: "a", principal, call: first, hold: undefined })).toBe(waiting);
    await waiting;
    expect(ledger.state).toEqual({ journalBytes: 0, rowsInMemory: 1, rowsLost: 0 });
    void ledger.settleTogether({ callId: "b", principal, call: call(0.5), hold: undefined });
    await ledger.durable();
    expect(rows().map((row) => row[1])).toEqual(["a", "b"]);
  });

  it("takes names that callers choose as both databases can keep them", async () => {
    const record = call(0.5);
    record.model = `\0\ud800${"m".repeat(3000)}`;
    ledger.settle({ callId: "a", principal, call: record, hold: undefined });
    await ledger.flush();
    expect(rows()[0]![5]).toBe(`\ufffd\ufffd${"m".repeat(498)}`);
  });
});
