import { sql } from "kysely";
import { invalidRequest } from "../../contract/errors.ts";
import { defined } from "../../contract/json.ts";
import { text } from "../../contract/schema.ts";
import type { Managed } from "../../core/auth/management.ts";
import type { SpendFilter } from "../../core/ledger/spend-store.ts";
import { sha256 } from "../../util/sha256.ts";
import { DAY } from "./period.ts";
import type { Condition } from "./visible-rows.ts";

/** Names that one query may list. */
const MAX_NAMES = 1000;

/** A parameter with names, commas between them. */
export const names = (about: string) => text(about, { maxLength: 8000 });

/** The hash of a key, or the hash itself where that was given. */
export function hashOf(key: string): string {
  return /^[0-9a-f]{64}$/.test(key) ? key : sha256(key);
}

/** Names of a parameter that has commas between them; `undefined` where it is absent. */
export function namesIn(value: string | undefined, param: string): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const listed = value.split(",").map((name) => name.trim());
  if (listed.length > MAX_NAMES) throw invalidRequest(`${param}: expected at most ${MAX_NAMES} names`, param);
  return listed;
}

/** The stretch of time that a query of the spend log names. @throws GatewayError 400 for what is no date */
export function periodFilter({
  start_date: start,
  end_date: end,
}: {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}): Pick<SpendFilter, "start" | "end"> {
  return defined({
    start: start === undefined ? undefined : moment(start, "start_date"),
    end: end === undefined ? undefined : endMoment(end),
  });
}

function moment(text: string, name: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidRequest(`${name}: expected a date such as 2027-01-31`, name);
  return time;
}

/** A date without a time means the whole day. */
function endMoment(text: string): number {
  const time = moment(text, "end_date");
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? time + DAY : time;
}

/** Rows that have one of these tags, or any where none is named. */
export function taggedRows({ parts }: Managed, tags: readonly string[] | undefined): Condition {
  const { kind } = parts.entities.store;
  if (tags === undefined) return sql`spend_logs.tags is not null`;
  const each =
    kind === "postgres"
      ? sql`jsonb_array_elements_text(spend_logs.tags::jsonb) as own(value)`
      : sql`json_each(spend_logs.tags) as own`;
  return sql`exists (select 1 from ${each} where own.value in (${sql.join(tags)}))`;
}
