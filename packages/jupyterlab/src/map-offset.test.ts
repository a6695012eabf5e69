import { describe, expect, it } from "vitest";
import { mapOffset } from "./map-offset.ts";

/** Both texts with `|` at the cursor. */
function mapped(before: string, after: string): string {
  const offset = before.indexOf("|");
  const place = mapOffset(before.replace("|", ""), after, offset);
  return `${after.slice(0, place)}|${after.slice(place)}`;
}

describe("mapOffset", () => {
  it.each([
    ["|x=1", "x = 1", "|x = 1"],
    ["x=|1", "x = 1", "x =| 1"],
    ["x=1|", "x = 1", "x = 1|"],
    ["x = { 'a|':1 }", 'x = {"a": 1}', 'x = {"a|": 1}'],
    ["f( a,b|)", "f(\n    a,\n    b,\n)", "f(\n    a,\n    b|,\n)"],
    ["f( a, |b)", "f(\n    a,\n    b,\n)", "f(\n    a,\n    |b,\n)"],
    ["return (x|)", "return x", "return x|"],
    ["x = 1 # c|", "x = 1  # c", "x = 1  # c|"],
    ["x  = 1\n\n\n\n|y = 2", "x = 1\n\n\ny = 2", "x = 1\n\n\n|y = 2"],
    ["x  = 1   |", "x = 1", "x = 1|"],
    ["|", "", "|"],
    ["x = 1|", "", "|"],
  ])("%j becomes %j", (before, after, expected) => {
    expect(mapped(before, after)).toBe(expected);
  });

  it("stays within the text, whatever that is", () => {
    const after = "b(a)";
    for (const before of ["xyz", "((((", "   ", "b(a)b(a)"])
      for (let offset = 0; offset <= before.length; offset++) {
        const place = mapOffset(before, after, offset);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThanOrEqual(after.length);
      }
  });
});
