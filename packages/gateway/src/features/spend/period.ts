import { invalidRequest } from "../../contract/errors.ts";
import { text } from "../../contract/schema.ts";

/** A stretch of time in milliseconds since the epoch, the end excluded. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

export const DAY = 86_400_000;

/** A day or a moment; what names no time zone is in UTC. */
const moment = (about: string) =>
  text(about, {
    maxLength: 40,
    pattern: "^\\d{4}-\\d\\d-\\d\\d([T ][0-9:.]+(Z|[+-]\\d\\d:\\d\\d)?)?$",
    examples: ["2027-01-31"],
  });

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
    end: end === undefined ? EVER.end : momentOf(end, "end_date", DAY),
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
  return { start: (Math.floor(now / DAY) - 30) * DAY, end: EVER.end };
}

/** @throws GatewayError 400 where the query does not say both */
export function requiredPeriodOf(asked: Asked): Period {
  for (const name of ["start_date", "end_date"] as const)
    if (asked[name] === undefined) throw invalidRequest("Please provide start_date and end_date", name);
  return periodOf(asked);
}

/** @param forDay what is added to a day */
function momentOf(given: string, param: string, forDay: number): number {
  const isDay = given.length === 10;
  const day = Date.parse(given.slice(0, 10));
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(given);
  const time = isDay ? day : Date.parse(`${given.replace(" ", "T")}${zoned ? "" : "Z"}`);
  // Parsers take the 31st of February for one of March.
  const isReal = !Number.isNaN(time) && dayName(Math.floor(day / DAY)) === given.slice(0, 10);
  if (!isReal) throw invalidRequest(`${param}: expected a day such as 2027-01-31`, param);
  return time + (isDay ? forDay : 0);
}

/** @param day days since the epoch */
export function dayName(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}
