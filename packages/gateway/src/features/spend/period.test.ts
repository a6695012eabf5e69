import { expect, it } from "vitest";
import { recentPeriodOf } from "./period.ts";

it("begins 30 whole days before today where no period is named", () => {
  const { start } = recentPeriodOf({}, Date.parse("2026-03-31T13:45:00Z"));
  expect(new Date(start).toISOString()).toBe("2026-03-01T00:00:00.000Z");
});
