import { setImmediate as nextTurn } from "node:timers/promises";
import { blocksUntil } from "../../core/ledger/spend-blocks.ts";
import { exportedUntil, markExported } from "../../core/ledger/spend-export-mark.ts";
import type { SpendRow } from "../../core/ledger/spend-tables.ts";
import type { Store } from "../../platform/store/schema.ts";
import { DAY_MS, dayName } from "../../util/day.ts";
import type { FileStorage, FileWriter } from "../files/file-storage.ts";
import { SPEND_COLUMNS, spendLine } from "../spend/spend-lines.ts";

/** Rows that are read at a time; SQLite stops the process meanwhile. */
const AT_ONCE = { sqlite: 500, postgres: 5000 } as const;

/** How long somebody's unfinished file may lie there before it counts as one of a killed process; milliseconds. */
const UNFINISHED = 24 * 3_600_000;

/**
 * Exports the next day that is over, when its sums are made (`spend-blocks.ts`, which also tells of rows that come late).
 * Its file is there wholly or not at all, and only then the day counts as exported: after a crash in between it is written
 * again, with the same rows in the same order under the same name.
 * @returns whether there is more
 */
export async function exportNextDay(
  store: Store,
  storage: FileStorage,
  signal: AbortSignal,
): Promise<boolean> {
  const until = await blocksUntil(store.db);
  const day = (await exportedUntil(store.db)) ?? (await firstDay(store));
  if (day === undefined || day >= until) return false;
  await storage.removeLeftovers?.(Date.now() - UNFINISHED);
  const name = `spend-${dayName(day)}.csv`;
  const file = await storage.create(name);
  try {
    await writeRows(file, store, day, signal);
    signal.throwIfAborted();
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
  await markExported(store.db, day);
  return day + 1 < until;
}

async function firstDay({ db }: Store): Promise<number | undefined> {
  const first = await db.selectFrom("spend_logs").select("started_at").orderBy("started_at").limit(1);
  const row = await first.executeTakeFirst();
  return row && Math.floor(Number(row.started_at) / DAY_MS);
}

async function writeRows(file: FileWriter, store: Store, day: number, signal: AbortSignal): Promise<void> {
  await file.write(Buffer.from(`${SPEND_COLUMNS.join(",")}\r\n`));
  for (let last: SpendRow | undefined, hasMore = true; hasMore; ) {
    signal.throwIfAborted();
    const rows = await pageBehind(store, day, last);
    if (rows.length > 0)
      await file.write(Buffer.from(rows.map((row) => spendLine(row, SPEND_COLUMNS)).join("")));
    last = rows.at(-1);
    hasMore = rows.length === AT_ONCE[store.kind];
    await nextTurn();
  }
}

/** Rows in the order of the index that they are found by. */
async function pageBehind({ kind, db }: Store, day: number, last: SpendRow | undefined): Promise<SpendRow[]> {
  const rows = db
    .selectFrom("spend_logs")
    .selectAll()
    .where("started_at", ">=", last?.started_at ?? day * DAY_MS)
    .where("started_at", "<", (day + 1) * DAY_MS)
    .orderBy("started_at")
    .orderBy("id")
    .limit(AT_ONCE[kind]);
  if (last === undefined) return rows.execute();
  const { started_at, id } = last;
  const isBehind = rows.where(({ or, eb }) => or([eb("started_at", ">", started_at), eb("id", ">", id)]));
  return isBehind.execute();
}
