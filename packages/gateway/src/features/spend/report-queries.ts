import { closed, given, object, type Schema, text, whole, word } from "../../contract/schema.ts";
import { name } from "../../core/auth/fields/restriction-fields.ts";
import { names } from "./filters.ts";
import { periodQuery } from "./period.ts";

const apiKey = name("Only this key, or the key with this hash.");
const most = { minimum: 1, maximum: 10_000 };

export const periodOnly = object(periodQuery);
export const keyPeriodQuery = object({ ...periodQuery, api_key: apiKey });
export const mostQuery = object({ ...periodQuery, limit: whole("How many; those that cost most.", most) });
export const tagsQuery = object({ ...periodQuery, tags: names("Only these tags, commas between them.") });
export const usersQuery = object({ user_id: name("Only this user.") });
export const keysQuery = object({
  limit: whole("How many; those that spent most.", { ...most, default: 1000 }),
});

export const customersBody = closed(
  given({
    api_key: apiKey,
    startTime: periodQuery.start_date,
    endTime: periodQuery.end_date,
  }),
);

/** What `/global/spend/report` adds up by, by LiteLLM's names. */
const REPORTS = ["team", "customer", "organization", "api_key"] as const;

export const reportQuery = object({
  ...periodQuery,
  group_by: word(REPORTS, "What each day is divided into; `api_key` adds up all days."),
  api_key: apiKey,
  internal_user_id: name("Only calls of this user."),
  team_id: name("Only calls of this team."),
  customer_id: name("Only calls for this customer."),
  format: word(["json", "csv"], "`csv` answers with a table."),
});

const ownersQuery = {
  user: { user_id: name("Only this user's.") },
  team: { team_ids: names("Only these teams', commas between them.") },
  organization: { organization_ids: names("Only these organizations', commas between them.") },
  customer: { end_user_ids: names("Only these customers', commas between them.") },
  tag: { tags: names("Only of these tags, commas between them.") },
} as const;

const dailyQuery = {
  ...periodQuery,
  model: text("Only of this model.", { maxLength: 256 }),
  api_key: apiKey,
  page: whole("From 1.", { minimum: 1, maximum: 999_999_999, default: 1 }),
  page_size: whole(
    "Sums on a page, by day, owner, key and model, at most 1000; the newest days come first.",
    {
      minimum: 1,
      maximum: 1000,
      default: 50,
    },
  ),
};

/** Whose activity by day there is. */
export type ActivityKind = keyof typeof ownersQuery;

/** The parameters of one kind's daily activity. */
export function activityQueryOf(kind: ActivityKind): Schema {
  return object({ ...dailyQuery, ...ownersQuery[kind] });
}

/** The parameters of all of them. */
export const activityQuery = object({
  ...dailyQuery,
  ...ownersQuery.user,
  ...ownersQuery.team,
  ...ownersQuery.organization,
  ...ownersQuery.customer,
  ...ownersQuery.tag,
});
