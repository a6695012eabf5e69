import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetWindow } from "../../core/ledger/budget-window.ts";
import { projected } from "./projection.ts";

const NOON = Date.parse("2026-03-10T12:00Z");
const month = { start: Date.parse("2026-03-01T00:00Z"), end: Date.parse("2026-04-01T00:00Z") };

describe("The day on which a budget is expected to be spent", () => {
  it("is today where it is spent, and nothing where it will not be in this window", () => {
    const dayAt = (budget: number, spent: number, timezone?: string) =>
      projected(budget, spent, month, NOON, timezone).projected_exceeded_date;
    expect(dayAt(100, 250)).toBe("2026-03-10");
    expect(dayAt(100, 50)).toBe("2026-03-20");
    expect(dayAt(100, 1)).toBeNull();
    expect(dayAt(0, 1)).toBe("2026-03-10");
    // It is tomorrow already there.
    expect(dayAt(100, 250, "Pacific/Kiritimati")).toBe("2026-03-11");
    expect(projected(undefined, 1, month, NOON, undefined).projected_exceeded_date).toBeNull();
    expect(projected(1, 1, undefined, NOON, undefined).projected_exceeded_date).toBeNull();
  });

  it("never lies in the past or behind the window, wherever", () => {
    const amounts = fc.double({ min: 0, max: 1e6, noNaN: true });
    const durations = fc.constantFrom("30s", "1h", "1d", "7d", "30d", "1mo");
    const zones = fc.constantFrom("UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati");
    const moments = fc.integer({ min: Date.UTC(2020), max: Date.UTC(2030) });
    const day = (at: number, timeZone: string) =>
      new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
    fc.assert(
      fc.property(amounts, amounts, durations, zones, moments, (budget, spent, budgetDuration, zone, now) => {
        const window = budgetWindow({ budgetDuration }, now, zone)!;
        const { projected_exceeded_date: date } = projected(budget, spent, window, now, zone);
        if (date === null) return;
        expect((date as string) >= day(now, zone)).toBe(true);
        expect((date as string) <= day(window.end - 1, zone)).toBe(true);
      }),
    );
  });
});
