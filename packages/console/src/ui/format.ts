const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** 1,234,567 */
export const count = (value: number): string => whole.format(value);

/** 1.2M */
export const compact = (value: number): string => short.format(value);

/** US dollars with as many digits as tell something: $12.30, $0.000033. */
export function dollars(value: number): string {
  const digits =
    value === 0 || Math.abs(value) >= 1 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString(undefined, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(2, digits),
  });
}

/** A moment in the reader's own time zone. @param time ISO 8601, or milliseconds since the epoch */
export const moment = (time: string | number): string => moments.format(new Date(time));

/** How long something took: 340 ms, 2.4 s. */
export function duration(from: string, to: string): string {
  return seconds((Date.parse(to) - Date.parse(from)) / 1000);
}

export const seconds = (value: number): string =>
  value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(1)} s`;

/** Part of a whole in percent. */
export const share = (part: number, all: number): string =>
  all === 0 ? "0 %" : `${((100 * part) / all).toFixed(part > 0 && part / all < 0.1 ? 1 : 0)} %`;
