import { DAY_MS, dayName } from "../util/day.ts";
import { invalidRequest } from "./errors.ts";
import { text } from "./schema.ts";

/** A day or a moment; what names no time zone is in UTC. */
export const moment = (about: string) =>
  text(about, {
    maxLength: 40,
    pattern: "^\\d{4}-\\d\\d-\\d\\d([T ][0-9:.]+(Z|[+-]\\d\\d:\\d\\d)?)?$",
    examples: ["2027-01-31"],
  });

/**
 * A day or a moment in milliseconds since the epoch.
 * @param forDay what is added to a day
 * @throws GatewayError 400 for a day that no calendar has
 */
export function momentOf(given: string, param: string, forDay: number): number {
  const isDay = given.length === 10;
  const day = Date.parse(given.slice(0, 10));
  const zoned = /(?:Z|[+-]\d\d:\d\d)$/.test(given);
  const time = isDay ? day : Date.parse(`${given.replace(" ", "T")}${zoned ? "" : "Z"}`);
  // Parsers take the 31st of February for one of March.
  const isReal = !Number.isNaN(time) && dayName(Math.floor(day / DAY_MS)) === given.slice(0, 10);
  if (!isReal) throw invalidRequest(`${param}: expected a day such as 2027-01-31`, param);
  return time + (isDay ? forDay : 0);
}
