import { expect, test } from "vitest";
import { sampleOf } from "./schema-sample.ts";

test("a sample follows types, enumerations, formats, bounds and references", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string" },
      kind: { enum: ["a", "b"] },
      when: { type: "string", format: "date" },
      count: { type: "integer", minimum: 5 },
      maybe: { type: ["null", "boolean"] },
      list: { type: "array", minItems: 2, items: { $ref: "#/$defs/point" } },
    },
    $defs: { point: { type: "object", properties: { x: { type: "number" } } } },
  };
  expect(sampleOf(schema)).toEqual({
    name: "name",
    kind: "a",
    when: "2024-01-01",
    count: 5,
    maybe: true,
    list: [{ x: 1 }, { x: 1 }],
  });
});

test("a recursive schema has an end", () => {
  const tree = {
    type: "object",
    properties: { value: { type: "string" }, next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
    required: ["value", "next"],
  };
  expect(JSON.stringify(sampleOf(tree)).length).toBeLessThan(500);
});
