import { answers, json, type Operation } from "../../contract/operation.ts";
import { amount, flag, list, map, object, orNull, type Schema, text, whole } from "../../contract/schema.ts";
import {
  activityQueryOf,
  customersBody,
  keyPeriodQuery,
  keysQuery,
  mostQuery,
  periodOnly,
  reportQuery,
  tagsQuery,
  usersQuery,
} from "./report-queries.ts";
import { ACTIVITIES } from "./reports.ts";

const dollars = amount("US dollars.");

function report(path: string, id: string, summary: string, query: Schema, answer: Schema): Operation {
  return { method: "GET", path, id, summary, query, answer: answers("The report.", answer) };
}

const metrics = object({
  spend: dollars,
  prompt_tokens: whole(),
  completion_tokens: whole(),
  cache_read_input_tokens: whole(),
  cache_creation_input_tokens: whole(),
  total_tokens: whole(),
  api_requests: whole(),
  successful_requests: whole(),
  failed_requests: whole("Also those whose caller left."),
});

const part = object({ metrics, metadata: object(), api_key_breakdown: map(object()) });

const activity = object({
  "results!": list(
    object({
      date: text("A day in UTC."),
      metrics,
      breakdown: object({
        models: map(part),
        model_groups: map(part),
        providers: map(part),
        api_keys: map(object({ metrics, metadata: object() })),
        entities: map(part),
      }),
    }),
    "Days on which something was used, the newest first.",
  ),
  "metadata!": object({
    total_spend: dollars,
    total_tokens: whole("Of the days on this page, as the other totals."),
    total_api_requests: whole(),
    page: whole(),
    total_pages: whole(),
    has_more: flag(),
  }),
});

const rows = (members: Parameters<typeof object>[0]) => list(object(members));

/** LiteLLM's reports of spend. */
export const reportOperations: readonly Operation[] = [
  report(
    "/spend/keys",
    "listKeySpend",
    "List keys by what they have spent",
    keysQuery,
    rows({ token: text("The key's hash."), key_alias: orNull(text()), spend: dollars }),
  ),
  report(
    "/spend/users",
    "listUserSpend",
    "List users by what they have spent",
    usersQuery,
    rows({ user_id: text(), spend: dollars }),
  ),
  report(
    "/spend/tags",
    "listTagSpend",
    "List tags by what calls with them cost",
    periodOnly,
    rows({ individual_request_tag: text(), log_count: whole(), total_spend: dollars }),
  ),
  report(
    "/global/spend",
    "showSpend",
    "What was spent in a period, or in the last 30 days",
    periodOnly,
    object({ spend: dollars, max_budget: orNull(amount()) }),
  ),
  report(
    "/global/spend/keys",
    "reportKeys",
    "The keys that spent most",
    mostQuery,
    rows({ api_key: text(), key_alias: orNull(text()), key_name: orNull(text()), total_spend: dollars }),
  ),
  report(
    "/global/spend/teams",
    "reportTeams",
    "What teams spent by day",
    periodOnly,
    object({ daily_spend: list(object()), teams: list(text()), total_spend_per_team: list(object()) }),
  ),
  report(
    "/global/spend/models",
    "reportModels",
    "The models that cost most",
    mostQuery,
    rows({ model: text(), total_spend: dollars, total_tokens: whole() }),
  ),
  report(
    "/global/spend/tags",
    "reportTags",
    "What calls with tags cost in a period",
    tagsQuery,
    object({ spend_per_tag: rows({ name: text(), spend: dollars, log_count: whole() }) }),
  ),
  {
    method: "POST",
    path: "/global/spend/end_users",
    id: "reportCustomers",
    summary: "The customers that cost most",
    request: { ...json(customersBody), isOptional: true },
    answer: answers("The report.", rows({ end_user: text(), total_count: whole(), total_spend: dollars })),
  },
  report(
    "/global/spend/provider",
    "reportProviders",
    "What was spent at each provider",
    periodOnly,
    rows({ provider: text(), spend: dollars }),
  ),
  report(
    "/global/spend/logs",
    "reportDays",
    "What was spent on each day",
    keyPeriodQuery,
    rows({ date: text(), spend: dollars }),
  ),
  report(
    "/global/spend/report",
    "reportSpend",
    "What each team, customer, organization or key spent by day and model, also as CSV",
    reportQuery,
    list(object()),
  ),
  ...ACTIVITIES.map((kind) =>
    report(
      `/${kind}/daily/activity`,
      `show${kind[0]!.toUpperCase()}${kind.slice(1)}Activity`,
      `What was used on each day, by ${kind}, model, provider and key`,
      activityQueryOf(kind),
      activity,
    ),
  ),
];
