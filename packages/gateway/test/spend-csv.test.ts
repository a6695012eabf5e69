import { sql } from "kysely";
import { expect, it } from "vitest";
import { type SpendFilter, SpendStore } from "../src/core/ledger/spend-store.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import { spendCsv } from "../src/features/spend/spend-lines.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { randomRow } from "./support/summed-rows.ts";

/** More than are read at a time. */
const ROWS = 1200;

describeOnEachStore("An export of the spend log", (opener) => {
  it("has every row that the filters leave once, the newest first, up to its bound", async () => {
    const store = await opener.open();
    // Many began in the same millisecond.
    const rows = Array.from({ length: ROWS }, (_, at) => ({ ...randomRow(1), started_at: at % 7 }));
    for (let from = 0; from < ROWS; from += 100)
      await store.db
        .insertInto("spend_logs")
        .values(rows.slice(from, from + 100))
        .execute();
    const spend = new SpendStore(store);
    const exported = async (filter: SpendFilter, most?: number): Promise<string[]> => {
      const reply = spendCsv(spend, filter, most);
      let text = "";
      for await (const part of (reply as { stream: AsyncIterable<Uint8Array> }).stream)
        text += Buffer.from(part).toString("utf8");
      return [...text.matchAll(/^([0-9a-f-]{36}),/gm)].map(([, id]) => id!);
    };
    const expected = (keep: (row: SpendRow) => boolean): string[] =>
      rows
        .filter(keep)
        .sort((one, other) => other.started_at - one.started_at || (one.id < other.id ? 1 : -1))
        .map((row) => row.request_id);
    const all = expected(() => true);
    expect(await exported({})).toEqual(all);
    expect(await exported({}, 700)).toEqual(all.slice(0, 700));
    expect(await exported({ search: "acompletion" }, 700)).toEqual(all.slice(0, 700));
    expect(await exported({ keyHash: "key 1", end: 5 })).toEqual(
      expected((row) => row.key_hash === "key 1" && row.started_at < 5),
    );
    const parts = [sql<boolean>`spend_logs.key_hash = 'key 1'`, sql<boolean>`spend_logs.team_id = 'team'`];
    expect(await exported({ parts })).toEqual(
      expected((row) => row.key_hash === "key 1" || row.team_id === "team"),
    );
    expect(await exported({ parts: [] })).toEqual([]);
    await store.close();
  });
});
