import { nearestName } from "../../../util/nearest-name.ts";
import { type Option, WrongValue } from "./option.ts";

/** Names in use that stand for others: only those are listed. */
const SYNONYMS = [
  "UTC",
  "US/Alaska",
  "US/Arizona",
  "US/Central",
  "US/Eastern",
  "US/Hawaii",
  "US/Mountain",
  "US/Pacific",
];

/** The IANA name of a time zone. */
export function timeZone(doc: string): Option<string> {
  return {
    shape: "an IANA time zone",
    initial: "UTC",
    doc,
    read: (value) => {
      if (typeof value !== "string") return new WrongValue("expected an IANA time zone such as US/Eastern");
      if (isTimeZone(value)) return value;
      const nearest = nearestName(value, [...Intl.supportedValuesOf("timeZone"), ...SYNONYMS]);
      return new WrongValue(
        nearest === undefined
          ? "expected an IANA time zone such as US/Eastern"
          : `expected an IANA time zone; did you mean ${nearest}?`,
      );
    },
  };
}

/** Offsets such as `+01:00`, which `Intl` takes for time zones too, have no daylight-saving time: they are refused. */
function isTimeZone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
