// The statements by which rows of the spend log get into its sums. The thread that writes rows runs them, so this file loads
// no library.

import { DAY_MS } from "../../util/day.ts";

/** Milliseconds of the half hours that every time zone's days are made of. */
export const HALF_HOUR_MS = 1_800_000;

/** Whoever adds rows holds this lock together with others; whoever makes sums anew or moves them holds it alone. */
export const SUMS_LOCK = 7_070_001;

/** What rows of a group have in common, by the columns of the spend log. */
const GROUPED = [
  "key_hash",
  "user_id",
  "team_id",
  "organization_id",
  "end_user",
  "tags",
  "model",
  "provider",
] as const;

/** What is added up, by the columns of the sums. */
export const SUM_NAMES = [
  "spend",
  "requests",
  "successes",
  "prompt_tokens",
  "completion_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
] as const;

export const SUM_COLUMNS = SUM_NAMES.map(
  (column) => `${column} ${column === "spend" ? "double precision" : "bigint"} not null`,
).join(", ");

/** What an entry counts for that stands for so many rows. */
function countsOf(rows: string): string {
  return `entry.spend as spend, case when entry.status = 'left' then 0 else ${rows} end as requests,
  case when entry.status = 'success' then ${rows} else 0 end as successes, entry.prompt_tokens as prompt_tokens,
  entry.completion_tokens as completion_tokens, entry.cache_read_tokens as cache_read_tokens,
  entry.cache_write_tokens as cache_write_tokens`;
}

/**
 * A text that values of columns have in common. PostgreSQL's indexes take none as long as callers can make them, and a name
 * that can be computed needs no look.
 * @param columns of `entry`
 */
export function nameOfColumns(isPostgres: boolean, columns: readonly string[]): string {
  const values = columns.map((column) => `entry.${column}`).join(", ");
  if (!isPostgres) return `json_array(${values})`;
  return `substr(encode(sha256(convert_to(json_build_array(${values})::text, 'UTF8')), 'hex'), 1, 32)`;
}

/**
 * The statements that add rows to the sums.
 * @param source entries with the columns of the spend log, as it stands behind `from`
 * @param rows for how many rows each of them stands, an expression; their numbers are then sums
 */
export function addToSums(isPostgres: boolean, source: string, rows = "1"): string[] {
  const counts = countsOf(rows);
  const nameOf = (columns: readonly string[]): string => nameOfColumns(isPostgres, columns);
  const sums = (columns: readonly string[]) => columns.map((column) => `sum(${column})`).join(", ");
  const onConflict = (table: string, key: string, columns: readonly string[]) =>
    `on conflict (${key}) do update set ${columns.map((column) => `${column} = ${table}.${column} + excluded.${column}`).join(", ")}`;
  const day = `entry.started_at / ${DAY_MS}`;
  const group = nameOf(GROUPED);
  const groupColumns = GROUPED.map((column) => `entry.${column}`).join(", ");
  const addGroups = isPostgres
    ? `select distinct on (id) * from (select ${group}::uuid as id, ${groupColumns} from ${source} as entry) as found
       order by id on conflict (id) do nothing`
    : `select distinct ${group}, ${groupColumns} from ${source} as entry where true on conflict (name) do nothing`;
  const inGroups = isPostgres
    ? `select ${group}::uuid as id, ${day} as day, ${counts} from ${source} as entry`
    : `select spend_groups.id as id, ${day} as day, ${counts}
       from ${source} as entry join spend_groups on spend_groups.name = ${group}`;
  const timed = [...SUM_NAMES, "milliseconds", "first_ms", "firsts"];
  const tags = isPostgres
    ? "jsonb_array_elements_text(entry.tags::jsonb) as own(value)"
    : "json_each(entry.tags) as own";
  return [
    `insert into spend_groups (${isPostgres ? "id" : "name"}, ${GROUPED.join(", ")}) ${addGroups}`,
    `insert into spend_days (group_id, day, ${SUM_NAMES.join(", ")})
     select id, day, ${sums(SUM_NAMES)} from (${inGroups}) as counted
     where true group by id, day order by id, day
     ${onConflict("spend_days", "group_id, day", SUM_NAMES)}`,
    `insert into spend_tags (day, tag, ${SUM_NAMES.join(", ")})
     select day, tag, ${sums(SUM_NAMES)} from (
       select ${day} as day, own.value as tag, ${counts} from ${source} as entry, ${tags} where entry.tags is not null
     ) as counted where true group by day, tag order by day, tag
     ${onConflict("spend_tags", "day, tag", SUM_NAMES)}`,
    `insert into spend_half_hours (start_at, name, model, provider, ${timed.join(", ")})
     select start_at, name, model, provider, ${sums(timed)} from (
       select entry.started_at / ${HALF_HOUR_MS} * ${HALF_HOUR_MS} as start_at, ${nameOf(["model", "provider"])} as name,
         entry.model as model, entry.provider as provider, ${counts},
         case when entry.status = 'left' then 0 else entry.ended_at - entry.started_at end as milliseconds,
         coalesce(entry.first_ms, 0) as first_ms, case when entry.first_ms is null then 0 else ${rows} end as firsts
       from ${source} as entry
     ) as counted where true group by start_at, name, model, provider order by start_at, name
     ${onConflict("spend_half_hours", "start_at, name", timed)}`,
  ];
}

/**
 * The names of the settings that have the first day (since the epoch) of which there are no blocks, and none by customer and
 * owner.
 */
export const BLOCKS_UNTIL = "spend_blocks_until";
export const CUSTOMER_BLOCKS_UNTIL = "spend_customer_blocks_until";

/** The statement by which late rows end the blocks from their day on, until these are made anew. */
export function endBlocks(source: string): string {
  const day = `(select min(started_at) / ${DAY_MS} from ${source} as entry)`;
  return `update settings set value = cast(${day} as text)
    where name in ('${BLOCKS_UNTIL}', '${CUSTOMER_BLOCKS_UNTIL}') and cast(value as integer) > ${day}`;
}
