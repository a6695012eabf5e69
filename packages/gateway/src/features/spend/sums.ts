import { sql } from "kysely";
import { invalidRequest } from "../../contract/errors.ts";
import type { Managed } from "../../core/auth/management.ts";
import type { Period } from "./period.ts";
import { type Group, sourceOf } from "./sum-sources.ts";
import { type Condition, visibleRows } from "./visible-rows.ts";

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
  /** Only these of the tags that are added up by. */
  readonly tags?: readonly string[] | undefined;
  /** Only the groups that cost most. */
  readonly most?: number | undefined;
}

/** Groups in one answer; who asks for more is told to ask for less. */
const MAX_GROUPS = 50_000;

const SUMS = [
  "spend",
  "requests",
  "successes",
  "prompt_tokens",
  "completion_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
].map((name) => sql`sum(${sql.ref(`counted.${name}`)}) as ${sql.ref(name)}`);

/**
 * Adds up the rows that the caller may see, the groups that cost most first.
 * @throws GatewayError 400 where there are too many groups for one answer
 */
export async function sumsOf<const G extends Group>(
  { actor, parts }: Managed,
  { by, period, where = [], tags, most }: SumsOf<G>,
): Promise<Sum<G>[]> {
  await parts.ledger.flush();
  const { store } = parts.entities;
  const source = await sourceOf(store, { by, period, where: [...visibleRows(actor), ...where], tags });
  const groups = by.map((_, index) => sql.ref(`group_${index}`));
  const { rows } = await sql<Record<string, number | string | null>>`
    select ${sql.join([...groups, ...SUMS])} from ${source} as counted
    ${by.length === 0 ? sql`` : sql`group by ${sql.join(groups)}`}
    order by ${sql.join([sql`spend desc`, ...groups])}
    limit ${most ?? MAX_GROUPS + 1}`.execute(store.db);
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
