import { sql } from "kysely";
import { type GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { dollarsOf } from "../../core/ledger/spend-sums.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { SUM_NAMES } from "../../platform/store/spend-sums-sql.ts";
import { DAY_MS } from "../../util/day.ts";
import type { Period } from "./period.ts";
import { CUSTOMER_BLOCK_GROUPS, type Group, sourceOf, type Wanted } from "./sum-sources.ts";
import { type Condition, visibleRows } from "./visible-rows.ts";

/** What is added up, by the columns of the store's sums; `spend` is US dollars. */
const COLUMNS = {
  spend: "spend",
  promptTokens: "prompt_tokens",
  completionTokens: "completion_tokens",
  cacheReadTokens: "cache_read_tokens",
  cacheWriteTokens: "cache_write_tokens",
  requests: "requests",
  successes: "successes",
} as const satisfies Record<string, (typeof SUM_NAMES)[number]>;

type Amount = keyof typeof COLUMNS;
const EVERY = Object.keys(COLUMNS) as Amount[];

/** What was used and what it cost, of the rows that have the same groups. */
export type Sum<G extends Group = never, A extends Amount = Amount> = {
  readonly of: { readonly [Name in G]: Name extends "day" ? number : string | null };
} & { readonly [Name in A]: number };

/** What a report adds up. */
export interface SumsOf<G extends Group, A extends Amount = Amount> {
  readonly by: readonly G[];
  /** What it tells of beside the spend; all where absent. Of a hundred thousand groups each sum takes its time. */
  readonly also?: readonly A[];
  readonly period: Period;
  readonly where?: readonly Condition[];
  /** There is one on customers among these. */
  readonly isOfCustomers?: boolean | undefined;
  /** What these leave is not few. */
  readonly isWide?: boolean | undefined;
  /** Only these of the tags that are added up by. */
  readonly tags?: readonly string[] | undefined;
  /** Only the groups that cost most. */
  readonly most?: number | undefined;
}

/** Groups in one answer; who asks for more is told to ask for less. */
const MAX_GROUPS = 50_000;

/**
 * Adds up the rows that the caller may see, the groups that cost most first.
 * @throws GatewayError 400 where there are too many groups for one answer
 */
export async function sumsOf<const G extends Group, const A extends Amount = Amount>(
  managed: Managed,
  asked: SumsOf<G, A>,
): Promise<Sum<G, A | "spend">[]> {
  const { by, most } = asked;
  const { db, grouped, order, amounts } = await groupedBy(managed, asked);
  const { rows } = await sql<Row>`${grouped} order by ${order} limit ${most ?? MAX_GROUPS + 1}`.execute(db);
  if (rows.length > MAX_GROUPS && most === undefined) throw tooMany();
  return rows.map((row) => sumOf(row, by, amounts));
}

/**
 * Some groups of all, the last days first and of these the groups that cost most.
 * @param page from 1
 * @param size groups on a page
 * @throws GatewayError 400 where there are too many groups to find those of a page
 */
export async function pageOfSums<const G extends Group>(
  managed: Managed,
  asked: SumsOf<G | "day">,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly sums: readonly Sum<G | "day">[]; readonly count: number }> {
  const by = ["day" as const, ...asked.by.filter((group) => group !== "day")];
  const { db, grouped, order, amounts } = await groupedBy(managed, { ...asked, by });
  // A page behind the last one has no groups, and a count all the same.
  const { rows } = await sql<Row & { count: number | string }>`
    with grouped as (${grouped})
    select * from (select count(*) as count from grouped) as found left join (
      select * from grouped order by group_0 desc, ${order} limit ${size} offset ${(page - 1) * size}
    ) as shown on 1 = 1`.execute(db);
  const count = Number(rows[0]!.count);
  if (count > MAX_GROUPS) throw tooMany();
  return { sums: rows.filter((row) => row.group_0 !== null).map((row) => sumOf(row, by, amounts)), count };
}

type Row = Readonly<Record<string, number | string | null>>;

/** The statement that has a row for each group, and the order in which those that cost most come first. */
async function groupedBy<G extends Group, A extends Amount>(
  managed: Managed,
  { by, also, period, where = [], isOfCustomers, isWide = false, tags, most }: SumsOf<G, A>,
) {
  const { parts } = managed;
  await parts.ledger.flush();
  const { store } = parts.entities;
  const wanted = { by, period, where: [...(await visibleRows(managed)), ...where], isOfCustomers, tags };
  if (most === undefined && (await haveTooMany(store, wanted, isWide))) throw tooMany();
  const source = await sourceOf(store, wanted);
  const groups = by.map((_, index) => sql.ref(`group_${index}`));
  const amounts: readonly Amount[] = also === undefined ? EVERY : ["spend", ...also];
  const sums = amounts.map(
    (name) => sql`sum(${sql.ref(`counted.${COLUMNS[name]}`)}) as ${sql.ref(COLUMNS[name])}`,
  );
  return {
    db: store.db,
    amounts,
    order: sql.join([sql`spend desc`, ...groups]),
    grouped: sql`select ${sql.join([...groups, ...sums])} from ${source} as counted
      ${by.length === 0 ? sql`` : sql`group by ${sql.join(groups)}`}`,
  };
}

/** Loops, because one answer can have tens of thousands of these. */
function sumOf<G extends Group, A extends Amount>(
  row: Row,
  by: readonly G[],
  amounts: readonly Amount[],
): Sum<G, A | "spend"> {
  const of: Record<string, number | string | null> = {};
  for (const [index, group] of by.entries()) {
    const value = row[`group_${index}`] ?? null;
    of[group] = group === "day" ? Number(value) : value;
  }
  const sum: Record<string, unknown> = { of };
  // PostgreSQL answers sums of whole numbers as texts.
  for (const name of amounts) sum[name] = Number(row[COLUMNS[name]] ?? 0);
  sum.spend = dollarsOf(row.spend);
  return sum as unknown as Sum<G, A | "spend">;
}

/** Days whose groups are counted before those of a longer period are added up. */
const SAMPLE = 2;
/** Days by which more is counted where days have no groups of their own. */
const LONGER = 4;

/** Whether the last days of a period alone have too many groups: who is refused is so before everything is added up. */
async function haveTooMany(store: Store, wanted: Wanted, isWide: boolean): Promise<boolean> {
  const isNarrow = wanted.where.length > 0;
  // Customers of some owners are in blocks, though without models: there are as many groups, or more.
  const isOfBlocks = isNarrow && wanted.by.includes("customer") && wanted.isOfCustomers !== true;
  const by = isOfBlocks ? wanted.by.filter((group) => CUSTOMER_BLOCK_GROUPS.has(group)) : wanted.by;
  const isOfMany = isOfBlocks || ((isWide || !isNarrow) && by.some((group) => OF_MANY.has(group)));
  const end = Math.floor(Math.min(wanted.period.end, Date.now()) / DAY_MS) * DAY_MS;
  const countOf = async (days: number): Promise<number> => {
    const start = end - days * DAY_MS;
    if (start <= wanted.period.start) return 0;
    const source = await sourceOf(store, { ...wanted, by, period: { start, end } });
    const groups = by.map((_, index) => sql.ref(`group_${index}`));
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (
        select distinct ${sql.join(groups)} from ${source} as counted limit ${MAX_GROUPS + 1}
      ) as found`.execute(store.db);
    return Number(rows[0]!.count);
  };
  const first = isOfMany ? await countOf(SAMPLE) : 0;
  if (first === 0 || first > MAX_GROUPS) return first > MAX_GROUPS;
  // Each day has groups of its own: so many days as should have too many, and some for days on which less is done.
  const needed = Math.ceil((1.1 * SAMPLE * MAX_GROUPS) / first) + SAMPLE;
  const days = wanted.by.includes("day") ? Math.max(needed, LONGER * SAMPLE) : LONGER * SAMPLE;
  return (await countOf(days)) > MAX_GROUPS;
}

/** Groups of which there can be very many. */
const OF_MANY: ReadonlySet<Group> = new Set(["key", "user", "team", "organization", "customer"]);

function tooMany(): GatewayError {
  return invalidRequest(
    `More than ${MAX_GROUPS} sums: ask for fewer days or for some keys only`,
    "start_date",
  );
}
