import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import { addToSums, HALF_HOUR_MS, SUMS_LOCK } from "../../platform/store/spend-sums-sql.ts";
import { DAY_MS } from "../../util/day.ts";

/** A stretch of time in milliseconds since the epoch, the end excluded. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What of a stretch the sums have, and what is read from the rows. */
export interface CutStretch {
  readonly summed: Stretch | undefined;
  readonly rows: readonly Stretch[];
}

const NAME = "spend_sums_from";

/** The name of the setting that has the moment before which rows of the log may be gone. */
export const KEPT_FROM = "spend_rows_from";

/** What the store knows of its rows and their sums. */
export interface SpendMarks {
  /** The first day (since the epoch) from which on the sums have every row; 0 once they have all. */
  readonly summedFrom: number;
  /** Milliseconds since the epoch before which rows may be gone (`spend-retention.ts`); the sums have had them. */
  readonly keptFrom: number;
}

export async function spendMarks(db: Store["db"]): Promise<SpendMarks> {
  const rows = await db.selectFrom("settings").selectAll().where("name", "in", [NAME, KEPT_FROM]).execute();
  const numberOf = (name: string): number => Number(rows.find((row) => row.name === name)?.value ?? 0);
  return { summedFrom: numberOf(NAME), keptFrom: numberOf(KEPT_FROM) };
}

export async function summedFrom(db: Store["db"]): Promise<number> {
  return (await spendMarks(db)).summedFrom;
}

/** Digits of a sum that do not depend on the order in which it was added up. */
const DIGITS = 12;

/**
 * A sum of US dollars as a database tells it. What the last bits of a sum of fractions are depends on the order, which is
 * another one with every plan and for sums of sums: the same rows have one answer all the same.
 */
export function dollarsOf(sum: number | string | null | undefined): number {
  return Number(Number(sum ?? 0).toPrecision(DIGITS));
}

/**
 * Whole days, or half hours, of a stretch are read from the sums as far as these have them. Where rows are gone, a stretch
 * that begins or ends within such a step has all of it.
 */
export function cutStretch(stretch: Stretch, step: "day" | "half hour", marks: SpendMarks): CutStretch {
  const size = step === "day" ? DAY_MS : HALF_HOUR_MS;
  const whole = firstWholeDay(marks) * DAY_MS;
  const start = stretch.start < whole ? Math.floor(stretch.start / size) * size : stretch.start;
  const end = stretch.end < whole ? Math.ceil(stretch.end / size) * size : stretch.end;
  const first = Math.max(Math.ceil(start / size) * size, marks.summedFrom * DAY_MS);
  const last = Math.floor(end / size) * size;
  if (first >= last) return { summed: undefined, rows: [{ start, end }] };
  const rows = [
    { start, end: first },
    { start: last, end },
  ];
  return { summed: { start: first, end: last }, rows: rows.filter((each) => each.start < each.end) };
}

/** The first day (since the epoch) of which every row is there. */
export function firstWholeDay({ keptFrom }: SpendMarks): number {
  return Math.ceil(keptFrom / DAY_MS);
}

/** Milliseconds of rows that one statement adds: SQLite stops the process meanwhile. */
const AT_ONCE = { sqlite: 900_000, postgres: DAY_MS } as const;

/**
 * Adds the last day to the sums that they do not have yet: rows of before there were sums. What was added since for that
 * day is made anew with the others; whoever writes rows waits meanwhile, which no call does.
 * @returns whether there is more
 */
export async function sumEarlierDay({ kind, db }: Store): Promise<boolean> {
  if ((await summedFrom(db)) === 0) return false;
  return db.transaction().execute(async (within) => {
    if (kind === "postgres") {
      await sql`set local statement_timeout = 0`.execute(within);
      await sql`select pg_advisory_xact_lock(${sql.lit(SUMS_LOCK)})`.execute(within);
    }
    const from = await summedFrom(within);
    const last = await within
      .selectFrom("spend_logs")
      .select("started_at")
      .where("started_at", "<", from * DAY_MS)
      .orderBy("started_at", "desc")
      .limit(1)
      .executeTakeFirst();
    const day = last === undefined ? 0 : Math.max(0, Math.floor(Number(last.started_at) / DAY_MS));
    if (last !== undefined) await sumDay({ kind, db: within }, day);
    await within
      .updateTable("settings")
      .set({ value: String(day) })
      .where("name", "=", NAME)
      .execute();
    return day > 0;
  });
}

async function sumDay({ kind, db }: Pick<Store, "kind" | "db">, day: number): Promise<void> {
  const [start, end] = [day * DAY_MS, (day + 1) * DAY_MS];
  await sql`delete from spend_days where day = ${day}`.execute(db);
  await sql`delete from spend_tags where day = ${day}`.execute(db);
  await sql`delete from spend_half_hours where start_at >= ${start} and start_at < ${end}`.execute(db);
  for (let from = start; from < end; from += AT_ONCE[kind]) {
    const rows = `(select * from spend_logs where started_at >= ${from} and started_at < ${from + AT_ONCE[kind]})`;
    for (const statement of addToSums(kind === "postgres", rows)) await sql.raw(statement).execute(db);
  }
}

/**
 * What a key has used becomes another's, as the rows of the log do.
 * @param db the transaction of the change; on PostgreSQL its last lock is taken here, as the writer of rows does
 */
export async function moveSums(
  { kind }: Pick<Store, "kind">,
  db: Store["db"],
  from: string,
  to: string,
): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(SUMS_LOCK)})`.execute(db);
  await sql`update spend_blocks set name = ${to} where kind = 'key' and name = ${from}`.execute(db);
  await sql`update spend_key_blocks set key_hash = ${to} where key_hash = ${from}`.execute(db);
  // Rows that still come under the old hash find no group of that name, and make one.
  if (kind === "sqlite") {
    const apart = ` ${randomUUID()}`;
    // PostgreSQL has a trigger for this (migration 0075).
    await sql`update spend_owners set key_hash = ${to}, name = name || ${apart} where key_hash = ${from}`.execute(
      db,
    );
    await sql`update spend_groups set key_hash = ${to}, name = name || ${apart} where key_hash = ${from}`.execute(
      db,
    );
    return;
  }
  await sql`
    with moved as (
      select id, gen_random_uuid() as next from spend_groups where key_hash = ${from}
    ), days as (
      update spend_days set group_id = next from moved where group_id = id
    )
    update spend_groups set id = next, key_hash = ${to} from moved where spend_groups.id = moved.id`.execute(
    db,
  );
}
