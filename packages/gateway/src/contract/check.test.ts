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
  ["m".repeat(100_000), `Unknown parameter: '${"m".repeat(200)}'.`],
])("An unknown field is refused with the nearest name: %.20s", (name, message) => {
  expect(() => check(schema, { [name]: 1 })).toThrow(message);
});

// Descriptions begin with a capital letter and end as they like: quoted, they make a sentence of any of them.
it("A text that does not fit its pattern is refused with the field's description as it stands", () => {
  const description = "Until when, such as 2026-12-31.";
  const until: Schema<object> = {
    type: "object",
    properties: { expiry: { type: "string", pattern: "^\\d{4}-", description } },
  };
  expect(() => check(until, { expiry: "tomorrow" })).toThrow(
    `expiry: the text does not fit its description, "${description}"`,
  );
});
