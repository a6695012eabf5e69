import { type SqlBool, sql } from "kysely";
import { checkQuery } from "../../contract/check.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import type { ValueOf } from "../../contract/schema.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { dayName } from "../../util/day.ts";
import { DayActivity, Metrics } from "./activity-metrics.ts";
import { hashOf, namesIn, taggedRows } from "./filters.ts";
import { aliasesOf, keysNamed } from "./owner-names.ts";
import { requiredPeriodOf } from "./period.ts";
import { type ActivityKind, activityQuery } from "./report-queries.ts";
import { pageOfSums, type Sum } from "./sums.ts";
import { type Condition, isAmong } from "./visible-rows.ts";

type Asked = ValueOf<typeof activityQuery>;

/**
 * LiteLLM's `/KIND/daily/activity`: what was used on each day, by model, provider, key and KIND. As there, a page has some
 * of the sums that days are put together from, and the totals of these; a day may go on on the next page. A call with
 * several tags counts once, but among each of its tags.
 */
export async function showActivity(managed: Managed, kind: ActivityKind): Promise<JsonObject> {
  const asked = checkQuery(activityQuery, managed.exchange.query);
  const { start_date: _, end_date: __, page = 1, page_size: size = 50, ...named } = asked;
  const { sums, count } = await pageOfSums(
    managed,
    {
      by: ["day", kind === "tag" ? "tags" : kind, "model", "provider", "key"],
      period: requiredPeriodOf(asked),
      where: [...conditionsOf(managed, kind, asked), ...filtersOf(asked)],
      isOfCustomers: kind === "customer",
      isWide: managed.actor.reachesAll && Object.keys(defined(named)).length === 0,
    },
    { page, size },
  );
  const ownersOf = ownersBy(kind, namesIn(asked.tags, "tags"));
  const aliases =
    kind === "tag" ? new Map<string, string>() : await aliasesOf(managed, kind, sums.flatMap(ownersOf));
  const keys = await keysNamed(
    managed,
    sums.map((sum) => sum.of.key),
  );
  const days = new Map<number, DayActivity>();
  const totals = new Metrics();
  for (const sum of sums) {
    const day = days.get(sum.of.day) ?? new DayActivity(keys);
    days.set(sum.of.day, day);
    day.add(sum);
    totals.add(sum);
    for (const owner of ownersOf(sum)) day.addEntity(owner, aliases.get(owner), sum);
  }
  const results = [...days].sort(([one], [other]) => other - one);
  const pages = Math.max(1, Math.ceil(count / size));
  return {
    results: results.map(([day, activity]) => ({ date: dayName(day), ...activity.shown() })),
    metadata: { ...totals.totals(), page, total_pages: pages, has_more: page < pages },
  };
}

/** Whom a sum is told among. @param tags only these, where the kind is tags */
function ownersBy(kind: ActivityKind, tags: readonly string[] | undefined) {
  return ({ of }: Sum<"tags" | Exclude<ActivityKind, "tag">>): readonly string[] => {
    if (kind !== "tag") return of[kind] === null ? [] : [of[kind]];
    const own = of.tags === null ? [] : (JSON.parse(of.tags) as string[]);
    return tags === undefined ? own : own.filter((tag) => tags.includes(tag));
  };
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
  // SQLite would look up `is not null` by the column's index, which is nearly every row.
  return ids === undefined ? [sql`not (${reference} is null)`] : [isAmong(reference, ids)];
}

function filtersOf({ model, api_key: key }: Asked): Condition[] {
  return [
    ...(model === undefined ? [] : [sql<SqlBool>`spend_logs.model = ${model}`]),
    ...(key === undefined ? [] : [sql<SqlBool>`spend_logs.key_hash = ${hashOf(key)}`]),
  ];
}
