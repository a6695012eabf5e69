import { type RawBuilder, sql } from "kysely";
import { BLOCK_COLUMNS, type Blocks, blocksOf, blocksUntil } from "../../core/ledger/spend-blocks.ts";
import { cutStretch, firstWholeDay, type Stretch, spendMarks } from "../../core/ledger/spend-sums.ts";
import type { Store } from "../../platform/store/schema.ts";
import { HALF_HOUR_MS, SUM_NAMES } from "../../platform/store/spend-sums-sql.ts";
import { DAY_MS } from "../../util/day.ts";
import type { Period } from "./period.ts";
import { allOf, type Condition } from "./visible-rows.ts";

/** What rows of the spend log are added up by; `tag` counts a row under each of its tags, `tags` under all as one text. */
export type Group =
  | "day"
  | "key"
  | "user"
  | "team"
  | "organization"
  | "customer"
  | "tag"
  | "tags"
  | "model"
  | "provider";

/** What is added up, over which rows. */
export interface Wanted {
  readonly by: readonly Group[];
  readonly period: Period;
  /** Conditions on columns of `spend_logs`. */
  readonly where: readonly Condition[];
  /** There is one on customers among them. */
  readonly isOfCustomers?: boolean | undefined;
  /** Only these of the tags that are added up by. */
  readonly tags?: readonly string[] | undefined;
}

type Source = RawBuilder<unknown>;

const columns: Readonly<Record<Group, Source>> = {
  day: sql`spend_logs.started_at / 86400000`,
  key: sql`spend_logs.key_hash`,
  user: sql`spend_logs.user_id`,
  team: sql`spend_logs.team_id`,
  organization: sql`spend_logs.organization_id`,
  customer: sql`spend_logs.end_user`,
  tag: sql`tag.value`,
  tags: sql`spend_logs.tags`,
  model: sql`spend_logs.model`,
  provider: sql`spend_logs.provider`,
};

/**
 * A table to add up: `group_0`, `group_1`, ... and what each row counts for. Whole days (or half hours) come from the
 * sums that the store keeps, the rest from the rows.
 */
export async function sourceOf({ kind, db }: Store, wanted: Wanted): Promise<Source> {
  const { by, period, where } = wanted;
  const isNarrow = where.length > 0;
  const isOnly = (...groups: Group[]): boolean => !isNarrow && by.every((group) => groups.includes(group));
  const withTags = by.includes("tag") ? tagsOf(kind) : sql``;
  const ofTags = by.includes("tag") && wanted.tags !== undefined ? [amongTags(wanted.tags)] : [];
  const marks = await spendMarks(db);
  const ofModels = isOnly("day", "model", "provider");
  const { summed, rows } = cutStretch(period, ofModels ? "half hour" : "day", marks);
  const readRows = (stretch: Stretch) => rowsOf(by, withTags, [during(stretch), ...where, ...ofTags]);
  const parts = rows.map(readRows);
  if (summed === undefined) return together(parts);
  if (ofModels) return together([...parts, halfHoursOf(by, summed)]);
  if (isOnly("day", "tag")) return together([...parts, tagDaysOf(by, summed, wanted.tags)]);
  const owner = BLOCK_OWNERS.find((group) => isOnly("day", group));
  const isOfCustomers = by.includes("customer") || wanted.isOfCustomers === true;
  const readBlocks = (blocks: Blocks): Source => {
    if (owner !== undefined) return ownerBlocksOf(by, owner, blocks);
    if (isOfCustomers) return customerBlocksOf(by, blocks, where);
    return keyBlocksOf(by, blocks, withTags, [...where, ...ofTags]);
  };
  let until = 0;
  if (owner !== undefined || !isOfCustomers) until = await blocksUntil(db);
  else if (isNarrow && by.every((group) => CUSTOMER_BLOCK_GROUPS.has(group)))
    until = await blocksUntil(db, "of customers");
  const end = Math.max(summed.start, Math.min(summed.end, until * DAY_MS));
  for (const blocks of blocksOf(kind, summed.start / DAY_MS, end / DAY_MS, by.includes("day")))
    parts.push(readBlocks(blocks));
  const rest = { start: end, end: summed.end };
  if (rest.start >= rest.end) return together(parts);
  // The rows of a day or two lie together, or are found by their indexes; their groups lie anywhere.
  const hasRows = rest.start >= firstWholeDay(marks) * DAY_MS;
  if (hasRows && Math.min(rest.end, Date.now()) - rest.start <= 2 * DAY_MS) parts.push(readRows(rest));
  else if (!isNarrow) parts.push(allDaysOf(by, rest, withTags, ofTags));
  else parts.push(daysOf(by, rest, withTags, [...where, ...ofTags]));
  return together(parts);
}

function together(parts: readonly Source[]): Source {
  return sql`(${sql.join(parts, sql` union all `)})`;
}

function tagsOf(kind: Store["kind"]): Source {
  return kind === "postgres"
    ? sql`, jsonb_array_elements_text(spend_logs.tags::jsonb) as tag(value)`
    : sql`, json_each(spend_logs.tags) as tag`;
}

function amongTags(tags: readonly string[]): Condition {
  return sql`tag.value in (${sql.join(tags)})`;
}

function during({ start, end }: Stretch): Condition {
  return sql`spend_logs.started_at >= ${start} and spend_logs.started_at < ${end}`;
}

function onDays({ start, end }: Stretch): Condition {
  return sql`spend_days.day >= ${start / DAY_MS} and spend_days.day < ${end / DAY_MS}`;
}

/** @param own what stands for a group in place of its column in the log */
function groupsOf(by: readonly Group[], own: Partial<Record<Group, Source>> = {}): Source {
  const named = by.map((group, at) => sql`${own[group] ?? columns[group]} as ${sql.ref(`group_${at}`)}, `);
  return sql.join(named.length === 0 ? [sql``] : named, sql``);
}

const countedOf = (table: string): Source => sql.join(SUM_NAMES.map((name) => sql.ref(`${table}.${name}`)));

function rowsOf(by: readonly Group[], tags: Source, conditions: readonly Condition[]): Source {
  return sql`select ${groupsOf(by)} spend, case when status = 'left' then 0 else 1 end as requests,
      case when status = 'success' then 1 else 0 end as successes,
      prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens
    from spend_logs ${tags} where ${allOf(conditions)}`;
}

function halfHoursOf(by: readonly Group[], { start, end }: Stretch): Source {
  const day = sql`spend_logs.start_at / 86400000`;
  return sql`select ${groupsOf(by, { day })} ${countedOf("spend_logs")} from spend_half_hours as spend_logs
    where spend_logs.start_at >= ${start} and spend_logs.start_at <= ${end - HALF_HOUR_MS}`;
}

const BLOCK_OWNERS = Object.keys(BLOCK_COLUMNS) as (keyof typeof BLOCK_COLUMNS)[];

function ownerBlocksOf(by: readonly Group[], owner: Group, { days, start, end }: Blocks): Source {
  return sql`select ${groupsOf(by, { day: sql`spend_days.start_day`, [owner]: sql`spend_days.name` })}
      ${countedOf("spend_days")} from spend_blocks as spend_days
    where kind = ${owner} and days = ${days} and start_day >= ${start} and start_day < ${end}`;
}

function keyBlocksOf(
  by: readonly Group[],
  { days, start, end }: Blocks,
  tags: Source,
  conditions: readonly Condition[],
): Source {
  return sql`select ${groupsOf(by, { day: sql`spend_logs.start_day` })} ${countedOf("spend_logs")}
    from spend_key_blocks as spend_logs ${tags}
    where days = ${days} and start_day >= ${start} and start_day < ${end} and ${allOf(conditions)}`;
}

/** By what the blocks of customers can be added up; with conditions on these columns only. */
export const CUSTOMER_BLOCK_GROUPS: ReadonlySet<Group> = new Set([
  "day",
  "key",
  "user",
  "team",
  "organization",
  "customer",
]);

/** Owners first: they are few, and SQLite keeps to the order of a cross join. */
function customerBlocksOf(
  by: readonly Group[],
  { days, start, end }: Blocks,
  conditions: readonly Condition[],
): Source {
  const own = { day: sql`blocks.start_day`, customer: sql`blocks.end_user` };
  return sql`select ${groupsOf(by, own)} ${countedOf("blocks")}
    from spend_owners as spend_logs cross join spend_customer_blocks as blocks
    where blocks.owner_id = spend_logs.id and blocks.days = ${days} and blocks.start_day >= ${start} and blocks.start_day < ${end}
      and ${allOf(conditions)}`;
}

function tagDaysOf(by: readonly Group[], summed: Stretch, tags: readonly string[] | undefined): Source {
  const ofTags = tags === undefined ? [] : [sql<boolean>`spend_days.tag in (${sql.join(tags)})`];
  return sql`select ${groupsOf(by, { day: sql`spend_days.day`, tag: sql`spend_days.tag` })} ${countedOf("spend_days")}
    from spend_tags as spend_days where ${allOf([onDays(summed), ...ofTags])}`;
}

/** Groups first: they are few, as owners are. */
function daysOf(
  by: readonly Group[],
  summed: Stretch,
  tags: Source,
  conditions: readonly Condition[],
): Source {
  return sql`select ${groupsOf(by, { day: sql`spend_days.day` })} ${countedOf("spend_days")}
    from spend_groups as spend_logs cross join spend_days ${tags}
    where spend_days.group_id = spend_logs.id and ${allOf([onDays(summed), ...conditions])}`;
}

/** Sums first: every group is among them, on many days. */
function allDaysOf(
  by: readonly Group[],
  summed: Stretch,
  tags: Source,
  conditions: readonly Condition[],
): Source {
  const day = by.includes("day") ? sql`, day` : sql``;
  const sums = SUM_NAMES.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`);
  return sql`select ${groupsOf(by, { day: sql`spend_days.day` })} ${countedOf("spend_days")}
    from (
      select group_id ${day}, ${sql.join(sums)} from spend_days where ${onDays(summed)} group by group_id ${day}
    ) as spend_days join spend_groups as spend_logs on spend_days.group_id = spend_logs.id ${tags}
    where ${allOf(conditions)}`;
}
