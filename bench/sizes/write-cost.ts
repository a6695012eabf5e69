import { randomUUID } from "node:crypto";
import pg from "pg";
import { textOfRow } from "../../packages/gateway/src/core/ledger/journal/journaled-row.ts";
import { openSpendSink } from "../../packages/gateway/src/core/ledger/journal/spend-sink.ts";
import { type SpendRow, spendColumns } from "../../packages/gateway/src/core/ledger/spend-tables.ts";
import { median } from "../statistics.ts";
import { tellProgress } from "./fill.ts";
import type { SizedStore } from "./gateway.ts";
import type { SizesOptions } from "./options.ts";
import { cpuOf } from "./overhead.ts";
import { spendRows } from "./rows.ts";

/** What a spend row costs the database. */
export interface WriteCost {
  readonly name: string;
  readonly rowsPerSecond: number;
  /** Microseconds of CPU of the server's process for a row. */
  readonly cpu: number;
}

const TURNS = 7;
const BATCHES = 8;
/** Rows that come at once where some thousand calls a second are made. */
const ROWS = 1000;

/** A day without other rows, which goes with them at the end. */
const LATER = Date.parse("2100-01-01");

/** Rows into the full store with the sums and without them, in turns, by the gateway's own statement. */
export async function writeCosts(store: SizedStore, options: SizesOptions): Promise<WriteCost[]> {
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  const sink = await openSpendSink({ kind: "postgres", url: store.url! });
  const source = spendRows({ ...options, rows: ((TURNS + 1) * 2 * BATCHES + 1) * ROWS }, Date.now()).rows[
    Symbol.iterator
  ]();
  const batch = (): string[] =>
    Array.from({ length: ROWS }, () => {
      const cells = source.next().value as readonly unknown[];
      const row = {
        ...Object.fromEntries(spendColumns.map((name, at) => [name, cells[at] ?? null])),
        id: randomUUID(),
        started_at: LATER,
        ended_at: LATER + 1000,
      } as SpendRow;
      return textOfRow({ row, windowStart: undefined, scopes: [] });
    });
  const ways = ["with sums", "without sums"] as const;
  const turns = ways.map(() => [] as Omit<WriteCost, "name">[]);
  try {
    await sink.write(batch());
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'portico spend' and datname = current_database() order by backend_start desc limit 1",
    );
    const { pid } = rows[0]!;
    for (let turn = 0; turn <= TURNS; turn += 1) {
      tellProgress(`spend rows: turn ${turn} of ${TURNS}`);
      for (const [at, way] of ways.entries()) {
        const word = way === "with sums" ? "enable" : "disable";
        await client.query(`alter table spend_logs ${word} trigger add_to_spend_sums`);
        const batches = Array.from({ length: BATCHES }, batch);
        const before = cpuOf(pid);
        const began = performance.now();
        for (const texts of batches) await sink.write(texts);
        const seconds = (performance.now() - began) / 1000;
        const count = BATCHES * ROWS;
        if (turn > 0) turns[at]!.push({ rowsPerSecond: count / seconds, cpu: (cpuOf(pid) - before) / count });
      }
    }
  } finally {
    await client.query("alter table spend_logs enable trigger add_to_spend_sums");
    await sink.close();
    for (const rows of [
      `spend_logs where started_at >= ${LATER}`,
      `spend_half_hours where start_at >= ${LATER}`,
      `spend_days where day >= ${LATER / 86_400_000}`,
      `spend_tags where day >= ${LATER / 86_400_000}`,
    ])
      await client.query(`delete from ${rows}`);
    await client.end();
  }
  return ways.map((name, at) => ({
    name,
    rowsPerSecond: median(turns[at]!.map((each) => each.rowsPerSecond)),
    cpu: median(turns[at]!.map((each) => each.cpu)),
  }));
}
