import { expect, it } from "vitest";
import { check } from "./check.ts";
import type { Schema } from "./schema.ts";

const schema: Schema<object> = {
  type: "object",
  properties: { models: { type: "array" }, max_budget: { type: "number" } },
  additionalProperties: false,
};

it.each([
  ["modles", "Unknown parameter: 'modles'. Did you mean models?"],
  ["max_budgets", "Unknown parameter: 'max_budgets'. Did you mean max_budget?"],
  ["colour", "Unknown parameter: 'colour'."],
  ["__proto__x", "Unknown parameter: '__proto__x'."],
  ["m".repeat(100_000), `Unknown parameter: '${"m".repeat(100_000)}'.`],
])("An unknown field is refused with the nearest name: %.20s", (name, message) => {
  expect(() => check(schema, { [name]: 1 })).toThrow(message);
});
