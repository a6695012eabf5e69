import type { KeyLimits, Principal } from "../../contract/principal.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { DAY_MS } from "../../util/day.ts";
import { parseDuration, parseMonths } from "../../util/duration.ts";

/** A stretch of time within which a budget holds; times in milliseconds since the epoch. */
export interface BudgetWindow {
  readonly start: number;
  readonly end: number;
}

/** The time zone whose midnights budgets begin at, as `litellm_settings.timezone` has it at the moment. */
export type Timezone = () => string | undefined;

/** The time zone of a configuration that may be read again. */
export function timezoneIn(config: { readonly current: Pick<GatewayConfig, "gatewaySettings"> }): Timezone {
  return () => config.current.gatewaySettings.timezone;
}

/** The last moment that a date can be. */
const LAST = 8.64e15;
/** Milliseconds around a midnight of UTC in which every place on earth has its own. */
const AROUND = 15 * 3_600_000;
/** The first Monday, in days since the epoch: windows of days are counted from it. */
const MONDAY = 4;
/** Windows remembered of a time zone. */
const MAX_REMEMBERED = 1000;

/**
 * The budget window that a moment falls into. Windows follow each other without gaps and are the same on every replica:
 * from the epoch on without a time zone. With one, windows of whole days begin at local midnight, those of whole weeks
 * on Mondays, and months (30 days too) on the first. `undefined` for a key whose budget has no duration: it holds for
 * good.
 * @param timezone IANA name
 */
export function budgetWindow(
  { budgetDuration }: KeyLimits,
  at: number,
  timezone: string | undefined,
): BudgetWindow | undefined {
  if (budgetDuration === undefined) return undefined;
  if (timezone !== undefined) return calendarOf(timezone).windowAt(budgetDuration, at);
  const length = parseDuration(budgetDuration);
  return length === undefined ? undefined : plainWindow(length, at);
}

/** The window that ends where this one begins. */
export function windowBefore(
  { budgetDuration }: KeyLimits,
  { start }: BudgetWindow,
  timezone: string | undefined,
): BudgetWindow | undefined {
  if (budgetDuration === undefined) return undefined;
  if (timezone !== undefined) return calendarOf(timezone).windowAt(budgetDuration, start - 1, "before");
  return budgetWindow({ budgetDuration }, start - 1, timezone);
}

function plainWindow(length: number, at: number): BudgetWindow {
  const start = floorTo(at, length);
  return { start, end: Math.min(LAST, start + length) };
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

const calendars = new Map<string, Calendar>();

function calendarOf(timezone: string): Calendar {
  let calendar = calendars.get(timezone);
  if (calendar === undefined) {
    calendar = new Calendar(timezone);
    calendars.set(timezone, calendar);
  }
  return calendar;
}

/** The days of a time zone, counted from 1970-01-01. */
class Calendar {
  readonly #format: Intl.DateTimeFormat;
  /** By duration, the window asked for last, and the one before: an offset from `Intl` is dear, and calls come in the same one. */
  readonly #windows = new Map<string, BudgetWindow>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  }

  windowAt(duration: string, at: number, which: "" | "before" = ""): BudgetWindow | undefined {
    const name = `${duration} ${which}`;
    const last = this.#windows.get(name);
    if (last !== undefined && last.start <= at && at < last.end) return last;
    const length = parseDuration(duration);
    if (length === undefined) return undefined;
    if (length % DAY_MS !== 0) return plainWindow(length, at);
    const window = this.#windowOfDays(length / DAY_MS, parseMonths(duration), at);
    if (this.#windows.size >= MAX_REMEMBERED) this.#windows.clear();
    this.#windows.set(name, window);
    return window;
  }

  #windowOfDays(days: number, months: number | undefined, at: number): BudgetWindow {
    const day = this.#dayAt(at);
    if (months === undefined) {
      const first = floorTo(day - MONDAY, days) + MONDAY;
      return { start: this.#startOf(first), end: this.#startOf(first + days) };
    }
    const first = floorTo(monthOf(day), months);
    return { start: this.#startOf(firstDayOf(first)), end: this.#startOf(firstDayOf(first + months)) };
  }

  /** The last day that has begun. A clock that is put back over midnight does not begin the day before again. */
  #dayAt(at: number): number {
    const day = Math.floor((at + this.#offset(at)) / DAY_MS);
    return at >= this.#startOf(day + 1) ? day + 1 : day;
  }

  /** The first moment of a day or, where clocks leave out the whole of it, of the next. */
  #startOf(day: number): number {
    const midnight = day * DAY_MS;
    if (!(midnight <= LAST - DAY_MS)) return LAST;
    let before = midnight - AROUND;
    let after = midnight + AROUND;
    const offset = this.#offset(before);
    const later = this.#offset(after);
    if (offset === later) return midnight - offset;
    // The clock is changed once in these hours: between `before` and `after`, which come together.
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (this.#offset(middle) === offset) before = middle;
      else after = middle;
    }
    return midnight - offset < after ? midnight - offset : Math.max(after, midnight - later);
  }

  /** Milliseconds by which local clocks are ahead of UTC. */
  #offset(at: number): number {
    const text = this.#format.format(at);
    const [, sign, hours, minutes, seconds = 0] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
    if (sign === undefined) return 0;
    const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000;
    return sign === "-" ? -ahead : ahead;
  }
}

/** Months from January 1970 to that of a day. */
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first day of a month; no number past the last date. */
function firstDayOf(month: number): number {
  return Date.UTC(1970, month, 1) / DAY_MS;
}

/** A scope beside the key, and where its spend counts: in a window of its budget, or at 0 in all. */
export interface ScopeWindow {
  readonly owner: string;
  readonly start: number;
  /** Names the shares that end with the row, where these do not have its id. */
  readonly hold?: string;
}

/**
 * Where a call counts beside its key: in all that its scopes have spent, whether these have budgets or not, and in the
 * windows of their budgets.
 * @param held shares of budgets that the call has: it counts in the windows in which it began
 */
export function scopeWindows(
  { scopes }: Pick<Principal, "scopes">,
  at: number,
  timezone: string | undefined,
  held: readonly ScopeWindow[] = [],
): readonly ScopeWindow[] {
  if (scopes === undefined) return held;
  // Scopes for some models alone are among what is held only.
  const further = held.filter(({ owner }) => !scopes.some((scope) => scope.owner === owner));
  const own = scopes.flatMap(({ owner, limits }) => {
    const share = held.find((window) => window.owner === owner);
    const start = share?.start ?? budgetWindow(limits, at, timezone)?.start;
    const window = share ?? { owner, start: start ?? 0 };
    return window.start === 0 ? [window] : [{ owner, start: 0 }, window];
  });
  return [...own, ...further];
}
