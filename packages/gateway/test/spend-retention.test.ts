import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink, type SpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import { addBlocks } from "../src/core/ledger/spend-blocks.ts";
import { removeOldRows } from "../src/core/ledger/spend-retention.ts";
import { moveSums } from "../src/core/ledger/spend-sums.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import type { Group } from "../src/features/spend/sum-sources.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { expectEqualSums, FIRST, randomRow } from "./support/summed-rows.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 8;
const NOW = FIRST + DAYS * DAY + 2 * HOUR;
const never = new AbortController().signal;

describeOnEachStore("Rows of the spend log that are old", (opener) => {
  let store: Store;
  let replica: Store;
  let sink: SpendSink;
  let written: SpendRow[];

  beforeEach(async () => {
    store = await opener.open();
    replica = await opener.open();
    sink = await openSpendSink(store.location);
    written = [];
  });
  afterEach(async () => {
    await sink.close();
    await replica.close();
    await store.close();
  });

  const write = async (rows: readonly SpendRow[]): Promise<void> => {
    await sink.write(
      rows.map((row) =>
        textOfRow({ row, windowStart: 0, scopes: [{ owner: `team ${row.team_id}`, start: 0 }] }),
      ),
    );
    written.push(...rows);
  };
  const many = (count: number): SpendRow[] => Array.from({ length: count }, () => randomRow(DAYS));
  const remaining = async (): Promise<number[]> => {
    const rows = await store.db.selectFrom("spend_logs").select("started_at").execute();
    return rows.map((row) => Number(row.started_at));
  };
  const sweep = (
    keep: number | undefined,
    { at = store, now = NOW, every = DAY, awaitsExport = false } = {},
  ) => removeOldRows(at, { keep, every, awaitsExport }, never, now);
  const sweepAll = async (keep: number, options = {}): Promise<void> => {
    while (await sweep(keep, options));
  };

  /** A report that begins or ends where rows are gone has the whole day, or half hour, that it begins or ends in. */
  const expectEqual = (keptFrom: number): Promise<void> => {
    const whole = Math.ceil(keptFrom / DAY) * DAY;
    return expectEqualSums(store, written, DAYS, ({ start, end }, by: readonly Group[], isNarrow) => {
      const ofModels = !isNarrow && by.every((group) => ["day", "model", "provider"].includes(group));
      const step = ofModels ? DAY / 48 : DAY;
      return {
        start: start < whole ? Math.floor(start / step) * step : start,
        end: end < whole ? Math.ceil(end / step) * step : end,
      };
    });
  };

  const totals = () =>
    Promise.all(
      ["key_spend", "budget_windows", "audit_log"].map(async (table) => {
        const { rows } = await sql`select * from ${sql.table(table)} order by 1, 2`.execute(store.db);
        return rows;
      }),
    );

  it("stay without a setting, and go with one, while every sum stays", async () => {
    await write(many(450));
    await store.db
      .insertInto("audit_log")
      .values({
        ...{
          id: "one",
          updated_at: FIRST,
          changed_by: "somebody",
          changed_by_api_key: "key",
          action: "made",
        },
        ...{ table_name: "table", object_id: "object", before_value: null, updated_values: null },
      } as never)
      .execute();
    const before = await totals();
    expect(await sweep(undefined)).toBe(false);
    expect(await remaining()).toHaveLength(450);
    const keptFrom = NOW - 3.5 * DAY;
    // The mark moves first; what began before has the rows still.
    expect(await sweep(3.5 * DAY)).toBe(true);
    expect(await remaining()).toHaveLength(450);
    await expectEqual(keptFrom);
    await sweepAll(3.5 * DAY);
    const left = await remaining();
    expect(Math.min(...left)).toBeGreaterThanOrEqual(keptFrom);
    expect(left).toHaveLength(written.filter((row) => row.started_at >= keptFrom).length);
    await expectEqual(keptFrom);
    while (await addBlocks(store, NOW));
    await expectEqual(keptFrom);
    expect(await totals()).toEqual(before);
  });

  it("go again only when the interval is over, and late ones at once", async () => {
    await write(many(100));
    await sweepAll(4 * DAY);
    const left = await remaining();
    expect(await sweep(2 * DAY, { now: NOW + DAY - 1 })).toBe(false);
    expect(await remaining()).toEqual(left);
    // A replica that was away brings rows of days that are gone: they count, and go.
    await write(many(100));
    await sweepAll(4 * DAY);
    expect(Math.min(...(await remaining()))).toBeGreaterThanOrEqual(NOW - 4 * DAY);
    await expectEqual(NOW - 4 * DAY);
    await sweepAll(2 * DAY, { now: NOW + DAY });
    expect(Math.min(...(await remaining()))).toBeGreaterThanOrEqual(NOW - DAY);
    await expectEqual(NOW - DAY);
    // Who keeps them longer from now on gets none back, and every sum as it was.
    await sweepAll(30 * DAY, { now: NOW + 3 * DAY });
    await expectEqual(NOW - DAY);
  });

  it("go once though replicas sweep, rows come, blocks are made and keys renewed meanwhile", async () => {
    await write(many(300));
    await sweep(2 * DAY);
    const move = store.db.transaction().execute(async (within) => {
      await within
        .updateTable("spend_logs")
        .set({ key_hash: "key 9" })
        .where("key_hash", "=", "key 1")
        .execute();
      await moveSums(store, within, "key 1", "key 9");
    });
    written = written.map((row) => (row.key_hash === "key 1" ? { ...row, key_hash: "key 9" } : row));
    await Promise.all([
      move,
      sweep(2 * DAY),
      ...(store.kind === "postgres" ? [sweep(2 * DAY, { at: replica }), addBlocks(replica, NOW)] : []),
    ]);
    await Promise.all([write(many(100)), sweepAll(2 * DAY)]);
    await sweepAll(2 * DAY);
    expect(Math.min(...(await remaining()))).toBeGreaterThanOrEqual(NOW - 2 * DAY);
    await expectEqual(NOW - 2 * DAY);
  });

  it("wait for their export, and for days from before there were sums", async () => {
    await write(many(100));
    await sweepAll(DAY, { awaitsExport: true });
    expect(await remaining()).toHaveLength(100);
    await store.db
      .insertInto("settings")
      .values({ name: "spend_exported_until", value: String(FIRST / DAY + 2) })
      .execute();
    await store.db
      .updateTable("settings")
      .set({ value: "1" })
      .where("name", "=", "spend_sums_from")
      .execute();
    await sweepAll(DAY, { awaitsExport: true });
    expect(await remaining()).toHaveLength(100);
    await store.db
      .updateTable("settings")
      .set({ value: "0" })
      .where("name", "=", "spend_sums_from")
      .execute();
    await sweepAll(DAY, { awaitsExport: true });
    expect(await remaining()).toHaveLength(written.filter((row) => row.started_at >= FIRST + 2 * DAY).length);
    await expectEqual(FIRST + 2 * DAY);
  });
});
