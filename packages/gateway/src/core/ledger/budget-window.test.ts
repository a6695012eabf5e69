import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetWindow } from "./budget-window.ts";

const HOUR = 3_600_000;
const windowAt = (budgetDuration: string, at: number | string, timezone?: string) =>
  budgetWindow({ budgetDuration }, typeof at === "string" ? Date.parse(at) : at, timezone)!;
const spanAt = (...wanted: Parameters<typeof windowAt>) => {
  const { start, end } = windowAt(...wanted);
  return [start, end].map((time) => new Date(time).toISOString().slice(0, 16)).join(" ");
};

const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
const moments = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2060, 0) });
const durations = fc.constantFrom(
  "1d",
  "24h",
  "3d",
  "7d",
  "2w",
  "30d",
  "1mo",
  "5mo",
  "1y",
  "12h",
  "90m",
  "36h",
);
const formats = new Map<string, Intl.DateTimeFormat>();
/** The day that a calendar shows there. */
function localDay(at: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  formats.set(timeZone, format);
  return format.format(at);
}

describe("budgetWindow in a time zone", () => {
  it("puts every moment into one window, and one window after the other", () => {
    fc.assert(
      fc.property(zones, moments, durations, (zone, at, duration) => {
        const window = windowAt(duration, at, zone);
        expect(window.start).toBeLessThanOrEqual(at);
        expect(window.end).toBeGreaterThan(at);
        for (const inside of [window.start, window.end - 1])
          expect(windowAt(duration, inside, zone)).toEqual(window);
        expect(windowAt(duration, window.end, zone).start).toBe(window.end);
        expect(windowAt(duration, window.start - 1, zone).end).toBe(window.start);
      }),
      { numRuns: 1000 },
    );
  });

  it("begins with the first moment of a local day, which lasts as long as the clocks there have it", () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        const { start, end } = windowAt("1d", at, zone);
        const day = localDay(start, zone);
        expect(localDay(start - 1, zone) < day).toBe(true);
        expect(localDay(end - 1, zone)).toBe(day);
        expect(localDay(end, zone) > day).toBe(true);
        // Lord Howe changes its clocks by half an hour, and stations in Antarctica by two or three.
        const isStation = zone.startsWith("Antarctica/");
        expect(isStation ? [21, 22, 23, 24, 25, 26, 27] : [23, 23.5, 24, 24.5, 25]).toContain(
          (end - start) / HOUR,
        );
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "US/Eastern",
    "Europe/Berlin",
    "Africa/Cairo",
    "America/Santiago",
    "Australia/Sydney",
    "Asia/Beirut",
  ])("has one day of 23 and one of 25 hours in a year of %s", (zone) => {
    const lengths: Record<number, number> = {};
    const last = Date.UTC(2027, 0);
    for (let at = windowAt("1d", Date.UTC(2026, 0, 1), zone).end; at < last; ) {
      const { start, end } = windowAt("1d", at, zone);
      expect(start).toBe(at);
      lengths[(end - start) / HOUR] = (lengths[(end - start) / HOUR] ?? 0) + 1;
      at = end;
    }
    expect(lengths).toEqual({ 23: 1, 24: expect.any(Number), 25: 1 });
  });

  it.each([
    ["a day of 24 hours", "1d", "2026-11-23T04:59Z", "US/Eastern", "2026-11-22T05:00 2026-11-23T05:00"],
    ["the same in hours", "24h", "2026-11-23T05:00Z", "US/Eastern", "2026-11-23T05:00 2026-11-24T05:00"],
    ["a day of 23 hours", "1d", "2026-03-08T12:00Z", "US/Eastern", "2026-03-08T05:00 2026-03-09T04:00"],
    ["a day of 25 hours", "1d", "2026-11-01T12:00Z", "US/Eastern", "2026-11-01T04:00 2026-11-02T05:00"],
    ["half an hour", "1d", "2026-11-23T12:00Z", "Asia/Kolkata", "2026-11-22T18:30 2026-11-23T18:30"],
    [
      "a day that begins at one",
      "1d",
      "2026-04-24T12:00Z",
      "Africa/Cairo",
      "2026-04-23T22:00 2026-04-24T21:00",
    ],
    [
      "a midnight that comes twice",
      "1d",
      "2025-11-02T12:00Z",
      "America/Havana",
      "2025-11-02T04:00 2025-11-03T05:00",
    ],
    [
      "clocks put back over midnight",
      "1d",
      "2010-11-07T02:45Z",
      "America/St_Johns",
      "2010-11-07T02:30 2010-11-08T03:30",
    ],
    [
      "a day that was left out",
      "1d",
      "2011-12-30T09:59Z",
      "Pacific/Apia",
      "2011-12-29T10:00 2011-12-30T10:00",
    ],
    ["the day after it", "1d", "2011-12-30T10:00Z", "Pacific/Apia", "2011-12-30T10:00 2011-12-31T10:00"],
    [
      "a week from Monday on",
      "7d",
      "2026-11-01T12:00Z",
      "Europe/Berlin",
      "2026-10-25T23:00 2026-11-01T23:00",
    ],
    ["a week", "1w", "2026-10-25T12:00Z", "Europe/Berlin", "2026-10-18T22:00 2026-10-25T23:00"],
    ["a month", "1mo", "2026-10-31T22:59Z", "Europe/Berlin", "2026-09-30T22:00 2026-10-31T23:00"],
    ["30 days", "30d", "2026-10-31T23:00Z", "Europe/Berlin", "2026-10-31T23:00 2026-11-30T23:00"],
    ["a February", "30d", "2028-02-29T12:00Z", "UTC", "2028-02-01T00:00 2028-03-01T00:00"],
    ["three months", "3mo", "2026-11-23T12:00Z", "UTC", "2026-10-01T00:00 2027-01-01T00:00"],
    ["a year", "1y", "2026-11-23T12:00Z", "Asia/Tokyo", "2025-12-31T15:00 2026-12-31T15:00"],
    [
      "hours, on the epoch's grid",
      "5h",
      "2026-11-23T12:00Z",
      "Asia/Kolkata",
      spanAt("5h", "2026-11-23T12:00Z"),
    ],
  ])("knows %s", (_, duration, at, zone, span) => {
    expect(spanAt(duration, at, zone)).toBe(span);
  });

  it("does not reckon from when it is asked", () => {
    const days = ["2026-11-21T12:00Z", "2026-11-22T12:00Z", "2026-11-23T12:00Z", "2026-11-24T12:00Z"];
    expect(days.map((day) => spanAt("2d", day, "US/Pacific"))).toEqual([
      "2026-11-21T08:00 2026-11-23T08:00",
      "2026-11-21T08:00 2026-11-23T08:00",
      "2026-11-23T08:00 2026-11-25T08:00",
      "2026-11-23T08:00 2026-11-25T08:00",
    ]);
  });

  it.each([undefined, "US/Eastern"])("ends the longest windows at a date (%s)", (zone) => {
    for (const duration of ["999999999d", "999999999mo", "999999999y"]) {
      const { start, end } = windowAt(duration, Date.now(), zone);
      expect(start).toBeLessThan(Date.now());
      expect(new Date(end).toISOString()).toBe("+275760-09-13T00:00:00.000Z");
    }
  });

  it("counts from the epoch without one", () => {
    expect(spanAt("7d", "2026-11-23T12:00Z")).toBe("2026-11-19T00:00 2026-11-26T00:00");
    expect(budgetWindow({}, 0, "UTC")).toBeUndefined();
    expect(budgetWindow({ budgetDuration: "soon" }, 0, "UTC")).toBeUndefined();
  });
});
