import { expect, it } from "vitest";
import { normalizeNumericLiteral } from "./numbers.ts";

it.each([
  ["12", "12"],
  ["0XaBcD", "0xABCD"],
  ["0O17", "0o17"],
  ["0B1_0", "0b1_0"],
  ["1_0E+5", "1_0e5"],
  ["1.E-3", "1.0e-3"],
  [".5", "0.5"],
  ["5.", "5.0"],
  ["10L".replace("L", "J"), "10j"],
  ["5.J", "5.0j"],
  ["1E5J", "1e5j"],
])("writes %s as %s", (literal, expected) => {
  expect(normalizeNumericLiteral(literal)).toBe(expected);
});
