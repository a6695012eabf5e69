import { type RawBuilder, sql } from "kysely";
import { cutStretch, dollarsOf, spendMarks } from "../../core/ledger/spend-sums.ts";
import type { Store } from "../../platform/store/schema.ts";
import { HALF_HOUR_MS } from "../../platform/store/spend-sums-sql.ts";

/** Sums over some requests of the spend log; US dollars. */
export interface Totals {
  readonly requests: number;
  readonly failures: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cache_read_tokens: number;
  readonly spend: number;
  /** Of the streams whose answer began: how many, and the milliseconds until then in all. */
  readonly streams: number;
  readonly first_ms: number;
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
  "streams",
  "first_ms",
] as const satisfies readonly (keyof Totals)[];

const sums = sql.join(NAMES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`));

/**
 * What is added up: sums of half hours that the store keeps where everything counts, else rows.
 * @param isFine steps are shorter than half an hour
 */
async function countedIn({ db }: Store, stretch: Stretch, isFine: boolean): Promise<RawBuilder<unknown>> {
  const { keyHash } = stretch;
  const marks = await spendMarks(db);
  const needsRows = keyHash !== undefined || (isFine && stretch.start >= marks.keptFrom);
  const { summed, rows } = needsRows
    ? { summed: undefined, rows: [stretch] }
    : cutStretch(stretch, "half hour", marks);
  const ofKey = keyHash === undefined ? sql`` : sql`and key_hash = ${keyHash}`;
  const parts = rows.map(
    ({ start, end }) => sql`
      select started_at as at, model, prompt_tokens, completion_tokens, cache_read_tokens, spend,
        case when status = 'left' then 0 else 1 end as requests,
        case when status in ('success', 'left') then 0 else 1 end as failures,
        case when status = 'left' then 0 else ended_at - started_at end as milliseconds,
        case when first_ms is null then 0 else 1 end as streams, coalesce(first_ms, 0) as first_ms
      from spend_logs where started_at >= ${start} and started_at < ${end} ${ofKey}`,
  );
  if (summed !== undefined)
    parts.push(sql`
      select start_at as at, model, prompt_tokens, completion_tokens, cache_read_tokens, spend, requests,
        requests - successes as failures, milliseconds, firsts as streams, first_ms
      from spend_half_hours where start_at >= ${summed.start} and start_at < ${summed.end}`);
  return sql`(${sql.join(parts, sql` union all `)}) as counted`;
}

/** Sums in steps of `step` milliseconds, in order; steps without a request are left out. */
export async function seriesOf(
  store: Store,
  stretch: Stretch,
  step: number,
): Promise<(Totals & { time: number })[]> {
  // Both databases cut the fraction off when whole numbers are divided.
  const time = sql`(at / ${sql.lit(step)}) * ${sql.lit(step)}`;
  const counted = await countedIn(store, stretch, step % HALF_HOUR_MS !== 0);
  const { rows } = await sql<Totals & { time: number }>`
    select ${time} as time, ${sums} from ${counted} group by ${time} order by time`.execute(store.db);
  return rows.map((row) => ({ time: Number(row.time), ...totalsOf(row) }));
}

/** Sums by model, the most expensive first. */
export async function modelsOf(
  store: Store,
  stretch: Stretch,
  limit: number,
): Promise<(Totals & { model: string; average_seconds: number })[]> {
  const counted = await countedIn(store, stretch, false);
  const { rows } = await sql<Totals & { model: string | null; milliseconds: number }>`
    select model, sum(milliseconds) as milliseconds, ${sums} from ${counted}
    group by model order by spend desc, requests desc limit ${limit}`.execute(store.db);
  return rows.map(({ model, milliseconds, ...row }) => ({
    model: model ?? "",
    average_seconds: Number(milliseconds) / 1000 / Math.max(1, Number(row.requests)),
    ...totalsOf(row),
  }));
}

/** PostgreSQL writes sums of whole numbers as texts. */
function totalsOf(row: Record<keyof Totals, number>): Totals {
  const numbers = Object.fromEntries(NAMES.map((name) => [name, Number(row[name])]));
  return { ...(numbers as unknown as Totals), spend: dollarsOf(row.spend) };
}
