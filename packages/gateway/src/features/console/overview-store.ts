import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";

/** Sums over some requests of the spend log; US dollars. */
export interface Totals {
  readonly requests: number;
  readonly failures: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_tokens: number;
  readonly spend: number;
}

/** Which requests count; times in milliseconds since the epoch, the end excluded. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** The rows of this key alone. */
  readonly keyHash?: string;
}

const NAMES = [
  "requests",
  "failures",
  "prompt_tokens",
  "completion_tokens",
  "cache_read_tokens",
  "spend",
] as const satisfies readonly (keyof Totals)[];

const sums = [
  sql<number>`coalesce(sum(case when status = 'left' then 0 else 1 end), 0)`.as("requests"),
  sql<number>`coalesce(sum(case when status in ('success', 'left') then 0 else 1 end), 0)`.as("failures"),
  sql<number>`coalesce(sum(prompt_tokens), 0)`.as("prompt_tokens"),
  sql<number>`coalesce(sum(completion_tokens), 0)`.as("completion_tokens"),
  sql<number>`coalesce(sum(cache_read_tokens), 0)`.as("cache_read_tokens"),
  sql<number>`coalesce(sum(spend), 0)`.as("spend"),
];

/** Sums in steps of `step` milliseconds, in order; steps without a request are left out. */
export async function seriesOf(
  store: Store,
  { start, end, keyHash }: Stretch,
  step: number,
): Promise<(Totals & { time: number })[]> {
  // Both databases cut the fraction off when whole numbers are divided.
  const time = sql<number>`(started_at / ${sql.lit(step)}) * ${sql.lit(step)}`;
  let query = store.db
    .selectFrom("spend_logs")
    .select([time.as("time"), ...sums])
    .where("started_at", ">=", start)
    .where("started_at", "<", end);
  if (keyHash !== undefined) query = query.where("key_hash", "=", keyHash);
  const rows = await query.groupBy(time).orderBy("time").execute();
  return rows.map((row) => ({ time: Number(row.time), ...totalsOf(row) }));
}

/** Sums by model, the most expensive first. */
export async function modelsOf(
  store: Store,
  { start, end, keyHash }: Stretch,
  limit: number,
): Promise<(Totals & { model: string; average_seconds: number })[]> {
  let query = store.db
    .selectFrom("spend_logs")
    .select([
      "model",
      sql<number>`avg(case when status = 'left' then null else ended_at - started_at end)`.as("average"),
      ...sums,
    ])
    .where("started_at", ">=", start)
    .where("started_at", "<", end);
  if (keyHash !== undefined) query = query.where("key_hash", "=", keyHash);
  const rows = await query
    .groupBy("model")
    .orderBy("spend", "desc")
    .orderBy("requests", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    model: row.model ?? "",
    average_seconds: Number(row.average) / 1000,
    ...totalsOf(row),
  }));
}

/** PostgreSQL writes sums of whole numbers as texts. */
function totalsOf(row: Record<keyof Totals, number>): Totals {
  return Object.fromEntries(NAMES.map((name) => [name, Number(row[name])])) as unknown as Totals;
}
