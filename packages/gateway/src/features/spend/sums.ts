import { sql } from "kysely";
import { invalidRequest } from "../../contract/errors.ts";
import type { Managed } from "../../core/auth/management.ts";
import type { Period } from "./period.ts";
import { allOf, type Condition, visibleRows } from "./visible-rows.ts";

/** What rows of the spend log are added up by; `tag` counts a row under each of its tags. */
export type Group =
  | "day"
  | "key"
  | "user"
  | "team"
  | "organization"
  | "customer"
  | "tag"
  | "model"
  | "provider";

/** What was used and what it cost, of the rows that have the same groups. */
export interface Sum<G extends Group = never> {
  readonly of: { readonly [Name in G]: Name extends "day" ? number : string | null };
  /** US dollars. */
  readonly spend: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly requests: number;
  readonly successes: number;
}

/** What a report adds up. */
export interface SumsOf<G extends Group> {
  readonly by: readonly G[];
  readonly period: Period;
  readonly where?: readonly Condition[];
  /** Only the groups that cost most. */
  readonly most?: number | undefined;
}

/** Groups in one answer; who asks for more is told to ask for less. */
const MAX_GROUPS = 50_000;

const columns = {
  day: sql`spend_logs.started_at / 86400000`,
  key: sql`spend_logs.key_hash`,
  user: sql`spend_logs.user_id`,
  team: sql`spend_logs.team_id`,
  organization: sql`spend_logs.organization_id`,
  customer: sql`spend_logs.end_user`,
  tag: sql`tag.value`,
  model: sql`spend_logs.model`,
  provider: sql`spend_logs.provider`,
} as const;

/**
 * Adds up the rows that the caller may see, the groups that cost most first.
 * @throws GatewayError 400 where there are too many groups for one answer
 */
export async function sumsOf<const G extends Group>(
  { actor, parts }: Managed,
  { by, period, where = [], most }: SumsOf<G>,
): Promise<Sum<G>[]> {
  await parts.ledger.flush();
  const { kind, db } = parts.entities.store;
  const tags =
    kind === "postgres"
      ? sql`, jsonb_array_elements_text(spend_logs.tags::jsonb) as tag(value)`
      : sql`, json_each(spend_logs.tags) as tag`;
  const condition = allOf([
    sql`spend_logs.started_at >= ${period.start}`,
    sql`spend_logs.started_at < ${period.end}`,
    ...visibleRows(actor),
    ...where,
  ]);
  const groups = by.map((group, index) => sql`${columns[group]} as ${sql.ref(`group_${index}`)},`);
  const { rows } = await sql<Record<string, number | string | null>>`
    select ${sql.join(groups, sql` `)}
      sum(spend) as spend, sum(case when status = 'left' then 0 else 1 end) as requests,
      sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens,
      sum(cache_read_tokens) as cache_read_tokens, sum(cache_write_tokens) as cache_write_tokens,
      sum(case when status = 'success' then 1 else 0 end) as successes
    from spend_logs ${(by as readonly Group[]).includes("tag") ? tags : sql``}
    where ${condition}
    ${by.length === 0 ? sql`` : sql`group by ${sql.join(by.map((group) => columns[group]))}`}
    order by ${sql.join([sql`spend desc`, ...by.map((_, index) => sql.ref(`group_${index}`))])}
    limit ${most ?? MAX_GROUPS + 1}`.execute(db);
  if (rows.length > MAX_GROUPS)
    throw invalidRequest(
      `More than ${MAX_GROUPS} sums: ask for fewer days or for some keys only`,
      "start_date",
    );
  // PostgreSQL answers sums of whole numbers as texts.
  return rows.map((row) => ({
    of: Object.fromEntries(
      by.map((group, index) => {
        const value = row[`group_${index}`] ?? null;
        return [group, group === "day" ? Number(value) : value];
      }),
    ) as Sum<G>["of"],
    spend: Number(row.spend),
    requests: Number(row.requests),
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    cacheReadTokens: Number(row.cache_read_tokens),
    cacheWriteTokens: Number(row.cache_write_tokens),
    successes: Number(row.successes),
  }));
}
