import { describe, expect, it } from "vitest";
import { parseDuration, parseMonths } from "./duration.ts";

describe("parseDuration", () => {
  it("reads every unit", () => {
    expect(["30s", "15m", "12h", "30d", "2w", "1mo", "1y"].map(parseDuration)).toEqual([
      30_000, 900_000, 43_200_000, 2_592_000_000, 1_209_600_000, 2_592_000_000, 31_536_000_000,
    ]);
  });

  it("refuses what is not a length of time", () => {
    expect(["", "30", "d", "-1d", "1.5h", "0s", "1 day"].map(parseDuration)).toEqual(
      Array(7).fill(undefined),
    );
  });
});

describe("parseMonths", () => {
  it("knows what stands for months of the calendar", () => {
    expect(["1mo", " 3mo ", "2y", "30d", "720h", "31d", "4w", "12h", "mo", "0mo"].map(parseMonths)).toEqual([
      1,
      3,
      24,
      1,
      1,
      ...Array(5).fill(undefined),
    ]);
  });
});
