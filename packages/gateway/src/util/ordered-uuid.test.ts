import { describe, expect, it } from "vitest";
import { orderedUuid } from "./ordered-uuid.ts";

describe("orderedUuid", () => {
  it("makes distinct UUIDs of version 7 that sort in the order of their making", () => {
    const ids = Array.from({ length: 20_000 }, orderedUuid);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("begins with the milliseconds since the epoch", () => {
    const before = Date.now();
    const id = orderedUuid();
    const after = Date.now();
    const time = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    // Those of this process may run ahead where many were made within a millisecond, as above.
    expect(time).toBeLessThan(after + 1000);
  });
});
