import { expect, test } from "vitest";
import { firstDifferentLine } from "./format-file.ts";

const lines = (count: number): string => "a line of text\n".repeat(count);

test.each([
  ["", "x", 1],
  ["x\n", "", 1],
  ["x\ny", "x\ny\n", 2],
  ["x\ny\n\n", "x\ny\n", 3],
  ["x\ny\n", "x\nz\n", 2],
  [`${lines(1000)}y`, `${lines(1000)}z`, 1001],
  [lines(1001), lines(1000), 1001],
  [lines(1000), lines(1001), 1001],
  [`${"x".repeat(4096)}\ny`, "x".repeat(4096), 1],
  [`${"x".repeat(4095)}\n`, `${"x".repeat(4095)}\ny`, 2],
  [`${"x".repeat(8191)}y`, `${"x".repeat(8191)}z`, 1],
])("the first line that differs (%#)", (source, output, line) => {
  expect(firstDifferentLine(source, output)).toBe(line);
});
