import { type SqlBool, sql } from "kysely";
import { checkQuery } from "../../contract/check.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import type { ValueOf } from "../../contract/schema.ts";
import type { Managed } from "../../core/auth/management.ts";
import { DayActivity, Metrics } from "./activity-metrics.ts";
import { hashOf, namesIn, taggedRows } from "./filters.ts";
import { aliasesOf, keysNamed } from "./owner-names.ts";
import { DAY, dayName, type Period, requiredPeriodOf } from "./period.ts";
import { type ActivityKind, activityQuery } from "./report-queries.ts";
import { sumsOf } from "./sums.ts";
import { type Condition, isAmong } from "./visible-rows.ts";

type Asked = ValueOf<typeof activityQuery>;

/**
 * LiteLLM's `/KIND/daily/activity`: what was used on each day, by model, provider, key and KIND. A page has some days of
 * the period, and the totals of these; a call with several tags counts once, but among each of its tags.
 */
export async function showActivity(managed: Managed, kind: ActivityKind): Promise<JsonObject> {
  const asked = checkQuery(activityQuery, managed.exchange.query);
  const whole = requiredPeriodOf(asked);
  const { page = 1, page_size: size = 50 } = asked;
  const pages = Math.max(1, Math.ceil(daysOf(whole) / size));
  const period = pageOf(whole, page, size);
  const where = [...conditionsOf(managed, kind, asked), ...filtersOf(asked)];
  const isOfCustomers = kind === "customer";
  const { start_date: _, end_date: __, page: ___, page_size: ____, ...named } = asked;
  const isWide = managed.actor.reachesAll && Object.keys(defined(named)).length === 0;
  const by = ["day", "model", "provider", "key"] as const;
  const [sums, ofOwners] = await Promise.all([
    sumsOf(managed, { by, period, where, isOfCustomers, isWide }),
    sumsOf(managed, { by: ["day", kind, "key"], period, where, isOfCustomers, isWide }),
  ]);
  const owner = (sum: (typeof ofOwners)[number]) => (sum.of as Record<ActivityKind, string | null>)[kind];
  const tags = kind === "tag" ? namesIn(asked.tags, "tags") : undefined;
  const owned = ofOwners.filter((sum) => owner(sum) !== null && (tags?.includes(owner(sum)!) ?? true));
  const aliases =
    kind === "tag" ? new Map<string, string>() : await aliasesOf(managed, kind, owned.map(owner));
  const keys = await keysNamed(
    managed,
    sums.map((sum) => sum.of.key),
  );
  const days = new Map<number, DayActivity>();
  const totals = new Metrics();
  const dayOf = (day: number) => {
    const known = days.get(day) ?? new DayActivity(keys);
    days.set(day, known);
    return known;
  };
  for (const sum of sums) {
    dayOf(sum.of.day).add(sum);
    totals.add(sum);
  }
  for (const sum of owned) dayOf(sum.of.day).addEntity(owner(sum)!, aliases.get(owner(sum)!), sum);
  const results = [...days].sort(([one], [other]) => other - one);
  return {
    results: results.map(([day, activity]) => ({ date: dayName(day), ...activity.shown() })),
    metadata: { ...totals.totals(), page, total_pages: pages, has_more: page < pages },
  };
}

function daysOf({ start, end }: Period): number {
  return Math.ceil(end / DAY) - Math.floor(start / DAY);
}

/** Some days of a period, the last ones first. */
function pageOf({ start, end }: Period, page: number, size: number): Period {
  const last = Math.ceil(end / DAY) * DAY;
  const to = Math.min(end, last - (page - 1) * size * DAY);
  return { start: Math.max(start, last - page * size * DAY), end: Math.max(start, to) };
}

/** Whose rows are asked for. */
function conditionsOf(managed: Managed, kind: ActivityKind, asked: Asked): Condition[] {
  if (kind === "user") return asked.user_id === undefined ? [] : [sql`spend_logs.user_id = ${asked.user_id}`];
  if (kind === "tag") return [taggedRows(managed, namesIn(asked.tags, "tags"))];
  const { column, param } = {
    team: { column: "team_id", param: "team_ids" as const },
    organization: { column: "organization_id", param: "organization_ids" as const },
    customer: { column: "end_user", param: "end_user_ids" as const },
  }[kind];
  const ids = namesIn(asked[param], param);
  const reference = sql.ref(`spend_logs.${column}`);
  return ids === undefined ? [sql`${reference} is not null`] : [isAmong(reference, ids)];
}

function filtersOf({ model, api_key: key }: Asked): Condition[] {
  return [
    ...(model === undefined ? [] : [sql<SqlBool>`spend_logs.model = ${model}`]),
    ...(key === undefined ? [] : [sql<SqlBool>`spend_logs.key_hash = ${hashOf(key)}`]),
  ];
}
