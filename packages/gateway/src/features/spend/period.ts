import { invalidRequest } from "../../contract/errors.ts";
import { moment, momentOf } from "../../contract/moment.ts";
import { DAY_MS } from "../../util/day.ts";

/** A stretch of time in milliseconds since the epoch, the end excluded. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

export const periodQuery = {
  start_date: moment("From this day (`2027-01-31`) or moment on, in UTC."),
  end_date: moment("Until the end of this day, or before this moment."),
};

/** The first and the last moment of a report over everything. */
const EVER: Period = { start: 0, end: Date.parse("9999-12-31") };

type Asked = { readonly [Name in keyof typeof periodQuery]?: string | undefined };

/** The period that a query names; from the beginning on, and until the end of time, where it does not say. */
export function periodOf({ start_date: start, end_date: end }: Asked): Period {
  const period = {
    start: start === undefined ? EVER.start : momentOf(start, "start_date", 0),
    end: end === undefined ? EVER.end : momentOf(end, "end_date", DAY_MS),
  };
  if (period.start >= period.end)
    throw invalidRequest("end_date: expected a day that is not before start_date", "end_date");
  return period;
}

/** The period that a query of the spend log names; none where it names neither end. */
export function anyPeriodOf(asked: Asked): Period | undefined {
  return asked.start_date === undefined && asked.end_date === undefined ? undefined : periodOf(asked);
}

/** LiteLLM's reports without a period are about today and the 30 days before, which are whole days. */
export function recentPeriodOf(asked: Asked, now = Date.now()): Period {
  if (asked.start_date !== undefined || asked.end_date !== undefined) return periodOf(asked);
  return { start: (Math.floor(now / DAY_MS) - 30) * DAY_MS, end: EVER.end };
}

/** @throws GatewayError 400 where the query does not say both */
export function requiredPeriodOf(asked: Asked): Period {
  for (const name of ["start_date", "end_date"] as const)
    if (asked[name] === undefined) throw invalidRequest("Please provide start_date and end_date", name);
  return periodOf(asked);
}
