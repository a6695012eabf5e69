import { addBlocks } from "../../packages/gateway/src/core/ledger/spend-blocks.ts";
import { sumEarlierDay } from "../../packages/gateway/src/core/ledger/spend-sums.ts";
import { tellProgress } from "./fill.ts";
import type { SizedStore } from "./gateway.ts";

const SUMMED = [
  "spend_groups",
  "spend_days",
  "spend_half_hours",
  "spend_tags",
  "spend_blocks",
  "spend_key_blocks",
  "spend_owners",
  "spend_customer_blocks",
];

/**
 * Adds up the rows that were filled in behind the sums, as the gateway does with those of an earlier version.
 * @returns how long it took
 */
export async function sumUp(sized: SizedStore): Promise<string> {
  const store = await sized.open();
  const each = async (name: string, work: () => Promise<boolean>): Promise<string> => {
    const times: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const began = performance.now();
      hasMore = await work();
      times.push((performance.now() - began) / 1000);
      tellProgress(`${name} of ${times.length} days`);
    }
    const all = times.reduce((one, other) => one + other, 0);
    return `${name} of ${times.length} days: ${all.toFixed(0)} s, at most ${Math.max(...times).toFixed(1)} s for one`;
  };
  try {
    const { last } = await store.db
      .selectFrom("spend_logs")
      .select(({ fn }) => fn.max("started_at").as("last"))
      .executeTakeFirstOrThrow();
    await store.db
      .updateTable("settings")
      .set({ value: String(Math.floor(Number(last) / 86_400_000) + 1) })
      .where("name", "=", "spend_sums_from")
      .execute();
    const sums = await each("sums", () => sumEarlierDay(store));
    const blocks = await each("blocks", () => addBlocks(store));
    for (const table of SUMMED) await sized.vacuum(table);
    return `${sums}; ${blocks}`;
  } finally {
    await store.close();
  }
}
