import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Ingest } from "../src/core/ledger/journal/ingest.ts";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink, type SpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import { addBlocks, blocksUntil } from "../src/core/ledger/spend-blocks.ts";
import { moveSums, sumEarlierDay, summedFrom } from "../src/core/ledger/spend-sums.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { expectEqualSums, FIRST, randomRow } from "./support/summed-rows.ts";

const DAY = 86_400_000;
const DAYS = 4;
/** Among the values of a row as the journal has it. */
const STATUS_AT = 9;

const sum = (all: readonly number[]): number => all.reduce((one, other) => one + other, 0);

describeOnEachStore("Sums of the spend log", (opener) => {
  let store: Store;
  const sinks: SpendSink[] = [];

  beforeEach(async () => {
    store = await opener.open();
    for (let replica = 0; replica < 2; replica += 1) sinks.push(await openSpendSink(store.location));
  });
  afterEach(async () => {
    for (const sink of sinks.splice(0)) await sink.close();
    await store.close();
  });

  const write = (rows: readonly SpendRow[], replica = 0): Promise<void> =>
    sinks[replica]!.write(rows.map((row) => textOfRow({ row, windowStart: undefined, scopes: [] })));

  const rowsThere = async (): Promise<SpendRow[]> => store.db.selectFrom("spend_logs").selectAll().execute();

  const expectEqual = async (days = DAYS): Promise<void> => expectEqualSums(store, await rowsThere(), days);

  /** As a store is of which no day is summed up but those to come. */
  async function forgetSums(): Promise<void> {
    for (const table of ["spend_days", "spend_tags", "spend_half_hours", "spend_groups"])
      await sql`delete from ${sql.table(table)}`.execute(store.db);
    const value = String(FIRST / DAY + DAYS);
    await store.db.updateTable("settings").set({ value }).where("name", "=", "spend_sums_from").execute();
  }

  const many = (count: number, days = DAYS): SpendRow[] =>
    Array.from({ length: count }, () => randomRow(days));

  const moved = async (from: string, to: string): Promise<void> => {
    await store.db.transaction().execute(async (within) => {
      await within.updateTable("spend_logs").set({ key_hash: to }).where("key_hash", "=", from).execute();
      await moveSums(store, within, from, to);
    });
  };

  it("equal the rows after writes, also when the same rows come again", async () => {
    expect(await summedFrom(store.db)).toBe(0);
    const rows = many(200);
    await write(rows);
    await write([...rows.slice(50), ...many(50)]);
    await write([...rows.slice(0, 3), ...rows.slice(0, 3)]);
    expect(await rowsThere()).toHaveLength(250);
    await expectEqual();
  });

  it("have each of many rows that are alike once, of which some are there or come twice", async () => {
    const kinds = many(4).map((row) => ({ ...row, spend: 0.25 }));
    const rows = Array.from({ length: 120 }, (_, at): SpendRow => {
      const kind = kinds[at % kinds.length]!;
      const ended_at = kind.started_at + at;
      return { ...kind, id: `row ${at}`, ended_at, first_ms: at % 3 === 0 ? null : at % 7 };
    });
    await write(rows.filter((_, at) => at % 5 === 0));
    await write([...rows.slice(1, 4), ...rows.slice(0, 70), ...rows.slice(10, 30), ...rows.slice(65)]);
    expect(await rowsThere()).toHaveLength(rows.length);
    await expectEqual();
    const timed = await sql<Record<string, number>>`select sum(milliseconds) as milliseconds,
      sum(first_ms) as first_ms, sum(firsts) as firsts from spend_half_hours`.execute(store.db);
    const began = rows.flatMap(({ first_ms }) => first_ms ?? []);
    const took = rows.map(({ status, started_at, ended_at }) =>
      status === "left" ? 0 : ended_at - started_at,
    );
    expect(Object.values(timed.rows[0]!).map(Number)).toEqual([sum(took), sum(began), began.length]);
    const spent = await store.db.selectFrom("key_spend").selectAll().execute();
    expect(sum(spent.map(({ spend }) => spend))).toBe(rows.length / 4);
  });

  it("have all rows but those that the database refuses", async () => {
    const texts = many(60).map((row) => textOfRow({ row, windowStart: undefined, scopes: [] }));
    const withoutStatus = JSON.parse(texts[33]!) as unknown[];
    withoutStatus[STATUS_AT] = null;
    texts[33] = JSON.stringify(withoutStatus);
    const told: string[] = [];
    const ingest = new Ingest("", sinks[0]!, (_level, _fields, message) => void told.push(message));
    await ingest.write(texts);
    expect([ingest.takeRefused(), told]).toEqual([1, ["the database refused a spend row"]]);
    expect(await rowsThere()).toHaveLength(59);
    await expectEqual();
  });

  it("follow a key that is renewed, and one that later has its old text", async () => {
    await write(many(100));
    await moved("key 1", "key 4");
    await write(many(100));
    await expectEqual();
    await moved("key 1", "key 5");
    await write(many(50));
    await expectEqual();
    await moved("key 4", "key 1");
    await moved("key 1", "key 4");
    await expectEqual();
  });

  it("take in the days from before one by one, while rows come for these days", async () => {
    await write(many(150));
    await forgetSums();
    await expectEqual();
    for (let left = DAYS; left > 0; left -= 1) {
      await write(many(30));
      await Promise.all([sumEarlierDay(store), write(many(30), 0), write(many(30), 1)]);
      await expectEqual();
    }
    while (await sumEarlierDay(store));
    expect(await summedFrom(store.db)).toBe(0);
    await expectEqual();
  });

  it("add up blocks of days that are over, and rows that come late end these", async () => {
    const days = 37;
    const today = FIRST / DAY + days - 1;
    const now = today * DAY + 2 * 3_600_000;
    await write(many(150, days));
    expect(await blocksUntil(store.db)).toBe(0);
    while (await addBlocks(store, now));
    expect(await blocksUntil(store.db)).toBe(today);
    await expectEqual(days);
    const late = { ...randomRow(days), started_at: FIRST + 5 * DAY + 1 };
    await write([late]);
    expect(await blocksUntil(store.db)).toBe(FIRST / DAY + 5);
    await expectEqual(days);
    await addBlocks(store, now);
    expect(await blocksUntil(store.db)).toBe(FIRST / DAY + 6);
    await expectEqual(days);
    // Replicas write, and a key is renewed, while blocks are made.
    for (let round = 0; round < 3; round += 1)
      await Promise.all([addBlocks(store, now), write(many(20, days), 0), write(many(20, days), 1)]);
    await Promise.all([addBlocks(store, now), moved("key 1", "key 4")]);
    await expectEqual(days);
    while (await addBlocks(store, now));
    await moved("key 2", "key 1");
    await expectEqual(days);
    expect(await addBlocks(store, now)).toBe(false);
  });

  it("get blocks of customers behind the others, as when an earlier version has made those", async () => {
    const days = 22;
    const now = (FIRST / DAY + days) * DAY + 2 * 3_600_000;
    await write(many(120, days));
    while (await addBlocks(store, now));
    for (const table of ["spend_customer_blocks", "spend_owners"])
      await sql`delete from ${sql.table(table)}`.execute(store.db);
    await store.db.deleteFrom("settings").where("name", "=", "spend_customer_blocks_until").execute();
    await expectEqual(days);
    for (let round = 0; round < 3; round += 1) {
      await addBlocks(store, now);
      expect(await blocksUntil(store.db, "of customers")).toBe(FIRST / DAY + round + 1);
      await expectEqual(days);
    }
    await write([{ ...randomRow(days), started_at: FIRST + DAY + 1 }]);
    expect(await blocksUntil(store.db, "of customers")).toBe(FIRST / DAY + 1);
    while (await addBlocks(store, now));
    expect(await blocksUntil(store.db, "of customers")).toBe(FIRST / DAY + days);
    await expectEqual(days);
    await moved("key 1", "key 4");
    await expectEqual(days);
    await moved("key 2", "key 1");
    await expectEqual(days);
  });

  it("lose nothing where replicas write at once", async () => {
    for (let round = 0; round < 5; round += 1)
      await Promise.all([write(many(60), 0), write(many(60), 1), write(many(60), 0)]);
    expect(await rowsThere()).toHaveLength(900);
    await expectEqual();
  });
});
