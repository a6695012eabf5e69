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

const EVERY = [...NAMES, "milliseconds"];

const sums = sql.join(EVERY.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0) as ${sql.ref(name)}`));

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

/** What an overview shows of a stretch. */
export interface OverviewSums {
  /** In steps, in order; steps without a request are left out. */
  readonly series: readonly (Totals & { readonly time: number })[];
  /** By model, the most expensive first. */
  readonly models: readonly (Totals & { readonly model: string; readonly average_seconds: number })[];
}

type Row = Record<keyof Totals | "milliseconds", number> & { time: number | null; model: string | null };

/**
 * Sums in steps of `step` milliseconds, and those of at most so many models: of both together first, so that rows, which may
 * be hundreds of thousands, are read once.
 */
export async function overviewSums(
  store: Store,
  stretch: Stretch,
  { step, limit }: { readonly step: number; readonly limit: number },
): Promise<OverviewSums> {
  // Both databases cut the fraction off when whole numbers are divided.
  const time = sql`(at / ${sql.lit(step)}) * ${sql.lit(step)}`;
  const counted = await countedIn(store, stretch, step % HALF_HOUR_MS !== 0);
  const { rows } = await sql<Row>`
    with summed as (select ${time} as time, model, ${sums} from ${counted} group by ${time}, model)
    select time, cast(null as text) as model, ${sums} from summed group by time
    union all
    select * from (
      select cast(null as bigint) as time, model, ${sums} from summed
      group by model order by spend desc, requests desc limit ${limit}
    ) as models`.execute(store.db);
  return {
    series: rows
      .filter((row) => row.time !== null)
      .map((row) => ({ time: Number(row.time), ...totalsOf(row) }))
      .sort((one, other) => one.time - other.time),
    models: rows
      .filter((row) => row.time === null)
      .map((row) => ({
        model: row.model ?? "",
        average_seconds: Number(row.milliseconds) / 1000 / Math.max(1, Number(row.requests)),
        ...totalsOf(row),
      }))
      .sort((one, other) => other.spend - one.spend || other.requests - one.requests),
  };
}

/** PostgreSQL writes sums of whole numbers as texts. */
function totalsOf(row: Record<keyof Totals, number>): Totals {
  const numbers = Object.fromEntries(NAMES.map((name) => [name, Number(row[name])]));
  return { ...(numbers as unknown as Totals), spend: dollarsOf(row.spend) };
}
