import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration.ts";

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
