import { sql } from "kysely";
import type { Store } from "../../platform/store/schema.ts";
import { numberSetting, setNumber } from "../../platform/store/settings-store.ts";
import {
  BLOCKS_UNTIL,
  CUSTOMER_BLOCKS_UNTIL,
  SUM_NAMES,
  SUMS_LOCK,
} from "../../platform/store/spend-sums-sql.ts";
import { DAY_MS } from "../../util/day.ts";
import { addCustomerBlock } from "./customer-blocks.ts";
import { exportAgain } from "./spend-export-mark.ts";
import { summedFrom } from "./spend-sums.ts";

/** By what blocks are added up, and the column of the groups that has it. */
export const BLOCK_COLUMNS = { key: "key_hash", team: "team_id", customer: "end_user" } as const;

/** What blocks of keys are added up by, beside the day. */
const KEY_COLUMNS = [
  "key_hash",
  "user_id",
  "team_id",
  "organization_id",
  "model",
  "provider",
  "tags",
] as const;

/**
 * Days of a block, the longest first: who spent little is in many days and in few blocks. SQLite, which has fewer rows
 * and stops the process meanwhile, adds up single days.
 */
const SPANS = { postgres: [16, 4, 1], sqlite: [1] } as const;

/** Blocks of `days` that begin on these days since the epoch, the end excluded. */
export interface Blocks {
  readonly days: number;
  readonly start: number;
  readonly end: number;
}

/** Milliseconds after the end of a day in which most of its calls have ended. */
const REST = 3_600_000;

/** Blocks by what one question adds up, or by customer and owner; each has its mark (migration 0075). */
export type BlockTables = "of one" | "of customers";

const MARKS = { "of one": BLOCKS_UNTIL, "of customers": CUSTOMER_BLOCKS_UNTIL } as const;

/** The first day since the epoch of which there are no blocks. */
export async function blocksUntil(db: Store["db"], tables: BlockTables = "of one"): Promise<number> {
  return (await numberSetting(db, MARKS[tables])) ?? 0;
}

/** The blocks that are some days together. @param isByDay each day counts for itself */
export function blocksOf(kind: Store["kind"], start: number, end: number, isByDay: boolean): Blocks[] {
  return tiled(start, end, isByDay ? [1] : SPANS[kind]);
}

function tiled(start: number, end: number, [days, ...shorter]: readonly number[]): Blocks[] {
  if (days === undefined || start >= end) return [];
  const first = Math.ceil(start / days) * days;
  const last = Math.floor(end / days) * days;
  if (first >= last) return tiled(start, end, shorter);
  return [{ days, start: first, end: last }, ...tiled(start, first, shorter), ...tiled(last, end, shorter)];
}

/**
 * Adds up the next day that is over, and the longer blocks that end with it.
 * @returns whether there is more
 */
export async function addBlocks(store: Store, now = Date.now()): Promise<boolean> {
  const added = [await addDay(store, "of one", now), await addDay(store, "of customers", now)];
  if (added.includes("more")) return true;
  if (added.includes("last")) await countBlocks(store);
  return false;
}

/**
 * Without this PostgreSQL, which counts a large table anew when a tenth of it has changed, takes a day that it never saw for
 * one of no rows, and plans for these.
 */
async function countBlocks({ kind, db }: Store): Promise<void> {
  if (kind !== "postgres") return;
  await db.transaction().execute(async (within) => {
    await sql`set local statement_timeout = 0`.execute(within);
    await sql`analyze spend_blocks, spend_key_blocks, spend_customer_blocks`.execute(within);
  });
}

/** What was added of the days that are over. */
type Added = "nothing" | "more" | "last";

async function addDay({ kind, db }: Store, tables: BlockTables, now: number): Promise<Added> {
  const isOver = (day: number) => (day + 1) * DAY_MS + REST <= now;
  const next = async (at: Store["db"]): Promise<number | undefined> => {
    if ((await summedFrom(at)) !== 0) return undefined;
    const until = await blocksUntil(at, tables);
    if (until > 0) return isOver(until) ? until : undefined;
    const [first] = (await sql<{ day: number | null }>`select min(day) as day from spend_days`.execute(at))
      .rows;
    return first?.day == null || !isOver(first.day) ? undefined : first.day;
  };
  if ((await next(db)) === undefined) return "nothing";
  return db.transaction().execute(async (within) => {
    if (kind === "postgres") {
      await sql`set local statement_timeout = 0`.execute(within);
      await sql`select pg_advisory_xact_lock(${sql.lit(SUMS_LOCK)})`.execute(within);
    }
    const day = await next(within);
    if (day === undefined) return "nothing";
    for (const span of SPANS[kind].toReversed())
      if ((day + 1) % span === 0)
        await (tables === "of one"
          ? addBlock(within, day + 1 - span, span)
          : addCustomerBlock({ kind, db: within }, day + 1 - span, span));
    await setNumber(within, MARKS[tables], day + 1);
    if (tables === "of one") await exportAgain(within, day);
    return isOver(day + 1) ? "more" : "last";
  });
}

const columns = sql.join(SUM_NAMES.map((name) => sql.ref(name)));
const sums = sql.join(SUM_NAMES.map((name) => sql`sum(${sql.ref(name)})`));

async function addBlock(db: Store["db"], start: number, days: number): Promise<void> {
  const end = start + days;
  const block = sql`cast(${days} as integer), cast(${start} as integer)`;
  const groups = sql`select * from spend_days join spend_groups on group_id = id where day = ${start}`;
  await sql`delete from spend_key_blocks where days = ${days} and start_day = ${start}`.execute(db);
  const keys = sql.join(KEY_COLUMNS.map((name) => sql.ref(name)));
  const ofKeys =
    days === 1
      ? groups
      : sql`select * from spend_key_blocks where days = 1 and start_day >= ${start} and start_day < ${end}`;
  await sql`insert into spend_key_blocks (days, start_day, ${keys}, ${columns})
    select ${block}, ${keys}, ${sums} from (${ofKeys}) as counted group by ${keys}`.execute(db);
  for (const [kind, column] of Object.entries(BLOCK_COLUMNS)) {
    await sql`delete from spend_blocks where kind = ${kind} and days = ${days} and start_day = ${start}`.execute(
      db,
    );
    const name = sql.ref(days === 1 || kind !== "customer" ? column : "name");
    const ofDays = sql`select * from spend_blocks
      where kind = ${kind} and days = 1 and start_day >= ${start} and start_day < ${end}`;
    const ofOwners = sql`select * from spend_key_blocks where days = ${days} and start_day = ${start}`;
    const source = kind !== "customer" ? ofOwners : days === 1 ? groups : ofDays;
    await sql`insert into spend_blocks (kind, days, start_day, name, ${columns})
      select cast(${kind} as text), ${block}, ${name}, ${sums} from (${source}) as counted group by ${name}`.execute(
      db,
    );
  }
}
